//! Decoding of code from bytes.

use expect_test::{Expect, expect};

use crate::instruction::{Instructions, Operand};
use crate::opcode::Opcode;

fn check(code: &[u8], expected: Expect) {
    let lines: Vec<String> = Instructions::new(code, 0x200)
        .map(|instruction| match instruction {
            Ok(instruction) => instruction.to_string(),
            Err(error) => format!("error: {error}"),
        })
        .collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn operands() {
    check(
        &[0x00, 0x2a],
        expect![[r#"
        IL_0000: nop
        IL_0001: ret"#]],
    );
    check(
        &[0x1f, 0x80, 0x20, 0xff, 0xff, 0xff, 0x7f],
        expect![[r#"
        IL_0000: ldc.i4.s -128
        IL_0002: ldc.i4 2147483647"#]],
    );
    check(&[0x21, 1, 0, 0, 0, 0, 0, 0, 0x80], expect!["IL_0000: ldc.i8 -9223372036854775807"]);
    check(
        &[0x22, 0, 0, 0xc0, 0x3f, 0x23, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
        expect![[r#"
        IL_0000: ldc.r4 1.5
        IL_0005: ldc.r8 NaN"#]],
    );
    check(
        &[0x0e, 200, 0xfe, 0x0c, 0x34, 0x12],
        expect![[r#"
        IL_0000: ldarg.s 200
        IL_0002: ldloc 4660"#]],
    );
    check(
        &[0x2b, 0xfe, 0x38, 0, 0, 0, 0, 0x2a],
        expect![[r#"
        IL_0000: br.s IL_0000
        IL_0002: br IL_0007
        IL_0007: ret"#]],
    );
    check(
        &[0x45, 2, 0, 0, 0, 0, 0, 0, 0, 0xf3, 0xff, 0xff, 0xff, 0x2a],
        expect![[r#"
        IL_0000: switch (IL_000d, IL_0000)
        IL_000d: ret"#]],
    );
    check(
        &[0xfe, 0x16, 0x02, 0, 0, 0x1b, 0x6f, 0x03, 0, 0, 0x0a, 0x72, 0x01, 0, 0, 0x70],
        expect![[r#"
        IL_0000: constrained. 0x1b000002
        IL_0006: callvirt 0x0a000003
        IL_000b: ldstr 0x70000001"#]],
    );
}

#[test]
fn errors() {
    check(
        &[0x00, 0x24],
        expect![[r#"
        IL_0000: nop
        error: bad CIL: 0x24 is not an opcode (file offset 0x201)"#]],
    );
    check(&[0xfe, 0x08], expect!["error: bad CIL: 0xfe08 is not an opcode (file offset 0x200)"]);
    check(&[0xfe], expect!["error: bad CIL: the code ends inside an instruction (file offset 0x201)"]);
    check(&[0x20, 1, 2], expect!["error: bad CIL: the code ends inside an instruction (file offset 0x203)"]);
    check(
        &[0x2b, 0x01, 0x2a],
        expect!["error: bad CIL: a branch leaves the method body (file offset 0x202)"],
    );
    check(&[0x2b, 0xfd], expect!["error: bad CIL: a branch leaves the method body (file offset 0x202)"]);
    check(
        &[0x45, 0xff, 0xff, 0xff, 0xff],
        expect!["error: bad CIL: the code ends inside an instruction (file offset 0x205)"],
    );
    check(
        &[0x45, 1, 0, 0, 0, 9, 0, 0, 0, 0x2a],
        expect!["error: bad CIL: a branch leaves the method body (file offset 0x209)"],
    );
}

/// Every opcode, with an operand of zeros, decodes to itself and takes the bytes it should.
#[test]
fn every_opcode_decodes_to_itself() {
    for &opcode in Opcode::ALL {
        let mut code =
            if opcode.size() == 1 { vec![opcode.code() as u8] } else { vec![0xfe, opcode.code() as u8] };
        code.extend([0; 9]);
        let first = Instructions::new(&code, 0).next().unwrap().unwrap();
        assert_eq!(first.opcode, opcode);
        assert_eq!(Opcode::from_code(opcode.code()), Some(opcode));
        let has_operand = !matches!(first.operand, Operand::None);
        assert_eq!(first.size > opcode.size(), has_operand, "{opcode:?}");
        assert_eq!(first.next_offset(), first.size);
    }
}
