//! The opcode table against the one in the runtime's own `System.Reflection.Emit`.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use cil::Opcode;
use cil::opcode::{Flow, OperandKind, StackSlot};
use testkit::{Options, Source, Target, compile, run_dotnet};

fn operand_type(kind: OperandKind) -> &'static str {
    match kind {
        OperandKind::None => "InlineNone",
        OperandKind::Int8 => "ShortInlineI",
        OperandKind::Int32 => "InlineI",
        OperandKind::Int64 => "InlineI8",
        OperandKind::Float32 => "ShortInlineR",
        OperandKind::Float64 => "InlineR",
        OperandKind::ShortArg | OperandKind::ShortLocal => "ShortInlineVar",
        OperandKind::Arg | OperandKind::Local => "InlineVar",
        OperandKind::ShortTarget => "ShortInlineBrTarget",
        OperandKind::Target => "InlineBrTarget",
        OperandKind::Switch => "InlineSwitch",
        OperandKind::Method => "InlineMethod",
        OperandKind::Field => "InlineField",
        OperandKind::Type => "InlineType",
        OperandKind::String => "InlineString",
        OperandKind::Signature => "InlineSig",
        OperandKind::Token => "InlineTok",
    }
}

fn flow(flow: Flow) -> &'static str {
    match flow {
        Flow::Next => "Next",
        Flow::Branch => "Branch",
        Flow::ConditionalBranch => "Cond_Branch",
        Flow::Call => "Call",
        Flow::Return => "Return",
        Flow::Throw => "Throw",
        Flow::Prefix => "Meta",
        Flow::Break => "Break",
    }
}

fn stack(verb: &str, slots: Option<&[StackSlot]>) -> String {
    let Some(slots) = slots else { return format!("Var{verb}") };
    let names: Vec<String> = slots
        .iter()
        .map(|slot| {
            let name = match slot {
                StackSlot::Any => "1",
                StackSlot::I => "i",
                StackSlot::I8 => "i8",
                StackSlot::R4 => "r4",
                StackSlot::R8 => "r8",
                StackSlot::Ref => "ref",
            };
            format!("{verb}{name}")
        })
        .collect();
    let joined = if names.is_empty() { format!("{verb}0") } else { names.join("_") };
    let (first, rest) = joined.split_at(1);
    first.to_uppercase() + rest
}

#[test]
fn the_table_is_that_of_the_runtime() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/Opcodes.cs");
    let options = Options { target: Target::Exe, ..Options::default() };
    let program = compile("Opcodes", &[Source::file(&source)], &options).unwrap();
    let output = run_dotnet(&program, &[]).unwrap();
    let theirs: Vec<&str> = output.stdout.lines().collect();
    let ours: Vec<String> = Opcode::ALL
        .iter()
        .filter(|&&opcode| opcode != Opcode::No)
        .map(|&opcode| {
            let (pops, pushes) = (stack("pop", opcode.pops()), stack("push", opcode.pushes()));
            let (kind, flow) = (operand_type(opcode.operand_kind()), flow(opcode.flow()));
            format!("{:x} {} {kind} {pops} {pushes} {flow}", opcode.code(), opcode.name())
        })
        .collect();
    let differences: Vec<String> = theirs
        .iter()
        .zip(&ours)
        .filter(|(theirs, ours)| theirs != ours)
        .map(|(theirs, ours)| format!("- {theirs}\n+ {ours}\n"))
        .collect();
    assert_eq!(theirs.len(), ours.len());
    // Where ours says more, or theirs says less than ECMA-335: references are not integers, objects may be created
    // and fields accessed without a reference (value types, pointers).
    expect_test::expect![[r#"
        - 51 stind.ref InlineNone Popi_popi Push0 Next
        + 51 stind.ref InlineNone Popi_popref Push0 Next
        - 73 newobj InlineMethod Varpop Pushref Call
        + 73 newobj InlineMethod Varpop Push1 Call
        - 75 isinst InlineType Popref Pushi Next
        + 75 isinst InlineType Popref Pushref Next
        - 7b ldfld InlineField Popref Push1 Next
        + 7b ldfld InlineField Pop1 Push1 Next
        - 7c ldflda InlineField Popref Pushi Next
        + 7c ldflda InlineField Pop1 Pushi Next
        - 7d stfld InlineField Popref_pop1 Push0 Next
        + 7d stfld InlineField Pop1_pop1 Push0 Next
    "#]]
    .assert_eq(&differences.concat());
}
