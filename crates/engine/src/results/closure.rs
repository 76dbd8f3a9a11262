//! Which bodies an answer about a method may depend on: more than those it runs, never fewer.
//!
//! From the method on: what its code names, the constructors and virtual methods of every class that may have an object, and all
//! of the classes that an input can be, since objects are made and changed by their public methods. Where anything may be meant
//! (reflection, inputs of any type, code of other people) that is all of the assembly.

use std::collections::BTreeMap;

use cil::{ClauseKind, MethodDefId, Module, Operand, Pdb, RowRef, Token, TypeDefId, TypeSig};
use rustc_hash::{FxHashMap, FxHashSet};
use store::{Digesting, Key};

use super::spelling::Speller;

/// Namespaces and classes through which code can come to members that it does not name.
const ANYTHING: &[&str] = &[
    "/System.Reflection.",
    "/System.Activator",
    "/System.AppDomain",
    "/System.Linq.Expressions.",
    "/System.Runtime.Serialization.",
    "/System.Runtime.Loader.",
    "/System.Text.Json.",
    "/System.Xml.",
    "/System.ComponentModel.",
    "/System.Dynamic.",
    "/System.Resources.",
    "::DynamicInvoke ",
    "::GetCustomAttribute",
];
const OF_TYPE: &str = "/System.Type::";
/// What is done with types all the time, and says nothing about their members.
const HARMLESS: &[&str] = &["::GetTypeFromHandle ", "::op_Equality ", "::op_Inequality "];
/// Assemblies whose code is known not to look for the members of others, but as above.
const KNOWN: &[&str] = &["[System", "[mscorlib]", "[netstandard]", "[Microsoft.Win32", "[module "];

/// The methods and types of an assembly, and what they lead to.
pub(super) struct Closures {
    /// For the comparison of two versions: what is not the code of a method or of what it runs does not count.
    by_names: bool,
    bodies: BTreeMap<u32, Body>,
    types: FxHashMap<TypeDefId, Class>,
}

#[derive(Default)]
struct Body {
    /// Where tokens mean nothing: how the method is spelled.
    name: String,
    /// Of all that the method does, and of the lines of source code that it stands for.
    digest: Option<Key>,
    methods: Vec<u32>,
    types: Vec<TypeDefId>,
    owner: Option<TypeDefId>,
    has_this: bool,
    /// Anything may be meant.
    is_open: bool,
    /// The types of its signature, and whether anything may be passed.
    inputs: Vec<TypeDefId>,
    takes_anything: bool,
    /// It may be called to change an object.
    may_change: bool,
}

#[derive(Default)]
struct Class {
    /// Where tokens mean nothing: how it is spelled, with what it is below and its fields.
    name: String,
    base: Option<TypeDefId>,
    below: Vec<TypeDefId>,
    methods: Vec<u32>,
    /// Constructors and what may be called without being named.
    called: Vec<u32>,
    /// Types of fields and of static fields.
    fields: Vec<TypeDefId>,
    statics: Vec<TypeDefId>,
    holds_anything: bool,
    statics_hold_anything: bool,
}

impl Closures {
    pub fn of(module: &Module, pdb: Option<&Pdb>) -> Closures {
        Closures::made(module, pdb, false)
    }

    /// Digests are the same in another version of the assembly if all that counts is called the same and does the same.
    pub fn by_names(module: &Module) -> Closures {
        Closures::made(module, None, true)
    }

    fn made(module: &Module, pdb: Option<&Pdb>, by_names: bool) -> Closures {
        let mut closures = Closures { by_names, bodies: BTreeMap::new(), types: FxHashMap::default() };
        let outsiders = closures.add_types(module);
        closures.add_fields(module, &outsiders);
        for method in module.method_defs() {
            let mut speller = if by_names { Speller::by_names(module) } else { Speller::new(module) };
            let name = if by_names { speller.token(method.token()) } else { String::new() };
            speller.types.clear();
            speller.names_anything = false;
            let body = Body { name, ..body(speller, pdb, method, &outsiders) };
            closures.bodies.insert(method.token().raw(), body);
        }
        if by_names {
            let mut interfaces: FxHashMap<TypeDefId, Vec<Token>> = FxHashMap::default();
            for row in module.interface_impls().filter_map(|id| module.interface_impl(id).ok()) {
                row.class.iter().for_each(|class| interfaces.entry(*class).or_default().push(row.interface));
            }
            for (id, class) in &mut closures.types {
                class.name = described(module, *id, interfaces.get(id).map_or(&[], Vec::as_slice));
            }
        }
        closures
    }

    /// What all bodies and types are.
    pub fn whole(&self) -> Key {
        self.digest_of(self.bodies.keys().copied(), self.types.keys().copied())
    }

    /// What the bodies that some methods lead to are; nothing if that may be all of them.
    pub fn digest(&self, roots: impl IntoIterator<Item = u32>) -> Option<Key> {
        let mut walk = Walk::new(self);
        for root in roots {
            walk.method(root);
            let body = self.bodies.get(&root)?;
            walk.is_open |= body.takes_anything;
            // Tests may bring static fields into any state by other methods of the class, which is no change of this one.
            let receiver = body.owner.filter(|_| body.has_this || !self.by_names);
            body.inputs.iter().chain(&receiver).for_each(|ty| walk.input(*ty));
        }
        walk.finish();
        if walk.is_open {
            return None;
        }
        Some(self.digest_of(walk.methods, walk.touched))
    }

    fn digest_of(
        &self,
        methods: impl IntoIterator<Item = u32>,
        types: impl IntoIterator<Item = TypeDefId>,
    ) -> Key {
        let mut bodies: Vec<(&str, Option<u32>, Option<Key>)> = methods
            .into_iter()
            .filter_map(|token| {
                let body = self.bodies.get(&token)?;
                Some((body.name.as_str(), (!self.by_names).then_some(token), body.digest))
            })
            .collect();
        bodies.sort_unstable();
        let mut digest = Digesting::new();
        for (name, token, body) in bodies {
            match token {
                Some(token) => digest.number("method", token.into()),
                None => digest.part("method", name),
            };
            digest.part("body", body.as_ref().map(Key::as_bytes).unwrap_or_default());
        }
        // Where tokens count, the shape of the assembly has the rest.
        let mut types: Vec<&str> =
            types.into_iter().filter_map(|ty| Some(self.types.get(&ty)?.name.as_str())).collect();
        types.retain(|name| !name.is_empty());
        types.sort_unstable();
        types.iter().for_each(|name| _ = digest.part("type", name));
        digest.key()
    }

    /// Notes the classes; returns those below types of other assemblies.
    fn add_types(&mut self, module: &Module) -> Outsiders {
        let mut outsiders = Outsiders::default();
        let mut above: Vec<(TypeDefId, Token)> = Vec::new();
        for id in module.type_defs() {
            let Ok(row) = module.type_def(id) else { continue };
            let mut class = Class::default();
            above.extend(row.extends.map(|base| (id, base)));
            for method in row.methods {
                const VIRTUAL: u16 = 0x40;
                class.methods.push(method.token().raw());
                let is_called = |row: &cil::MethodDef<'_>| {
                    row.flags & VIRTUAL != 0 || matches!(row.name, ".ctor" | ".cctor")
                };
                if module.method_def(method).is_ok_and(|row| is_called(&row)) {
                    class.called.push(method.token().raw());
                }
            }
            self.types.insert(id, class);
        }
        let interfaces = module.interface_impls().filter_map(|id| module.interface_impl(id).ok());
        above.extend(interfaces.filter_map(|row| Some((row.class?, row.interface))));
        for (id, base) in above {
            let definition = definition(module, base);
            match definition.row_ref() {
                Some(RowRef::TypeDef(own)) => {
                    let is_class = module.type_def(id).is_ok_and(|row| row.extends == Some(base));
                    self.types.entry(own).or_default().below.push(id);
                    if is_class {
                        self.types.entry(id).or_default().base = Some(own);
                    }
                }
                _ => {
                    let outside = Speller::new(module).token(definition);
                    let is_plain = PLAIN_BASES.iter().any(|plain| outside.ends_with(plain));
                    let is_base = module.type_def(id).is_ok_and(|row| row.extends == Some(base));
                    // What else a class of others is, nobody looks up.
                    let name = if is_base && !is_plain { UNKNOWN.to_owned() } else { outside };
                    outsiders.entry(name).or_default().push(id);
                }
            }
        }
        outsiders
    }

    fn add_fields(&mut self, module: &Module, outsiders: &Outsiders) {
        const STATIC: u16 = 0x10;
        for (id, class) in &mut self.types {
            for field in module.type_def(*id).into_iter().flat_map(|row| row.fields) {
                let Ok(sig) = module.field_sig(field) else { continue };
                let is_static = module.field(field).is_ok_and(|row| row.flags & STATIC != 0);
                let mut speller = Speller::new(module);
                let held = given(&mut speller, &sig, outsiders);
                match is_static {
                    true => class.statics.extend(held),
                    false => class.fields.extend(held),
                }
                class.statics_hold_anything |= is_static && speller.names_anything;
                class.holds_anything |= !is_static && speller.names_anything;
            }
        }
    }
}

/// The classes below each type of another assembly, by how that is spelled.
type Outsiders = FxHashMap<String, Vec<TypeDefId>>;

/// The types of the assembly that a value of some type can have something of.
fn given(speller: &mut Speller<'_>, sig: &TypeSig, outsiders: &Outsiders) -> Vec<TypeDefId> {
    let text = speller.ty(sig);
    let mut given = std::mem::take(&mut speller.types);
    if text.contains("class ") || text.contains('<') {
        let fits = |name: &str| name == UNKNOWN || text.contains(name);
        outsiders.iter().filter(|(name, _)| fits(name)).for_each(|(_, below)| given.extend(below));
    }
    given
}

/// In the place of all types that a class of another assembly may be.
const UNKNOWN: &str = "?";
/// Base classes that are no more than what they are called.
const PLAIN_BASES: &[&str] = &[
    "/System.Object",
    "/System.ValueType",
    "/System.Enum",
    "/System.MulticastDelegate",
    "/System.Attribute",
];

/// A type without its arguments.
fn definition(module: &Module, token: Token) -> Token {
    let spec = match token.row_ref() {
        Some(RowRef::TypeSpec(spec)) => module.type_spec_sig(spec).ok(),
        _ => None,
    };
    match spec {
        Some(TypeSig::GenericInst(inst)) => inst.definition,
        _ => token,
    }
}

/// How a type is spelled, with what it is below and its fields.
fn described(module: &Module, id: TypeDefId, interfaces: &[Token]) -> String {
    let mut speller = Speller::by_names(module);
    let mut text = speller.token(id.token());
    let Ok(row) = module.type_def(id) else { return text };
    text += &row.extends.map(|base| format!(" : {}", speller.token(base))).unwrap_or_default();
    for interface in interfaces {
        text += &format!(", {}", speller.token(*interface));
    }
    for field in row.fields {
        let flags = module.field(field).map_or(0, |row| row.flags);
        let ty = module.field_sig(field).map(|sig| speller.ty(&sig)).unwrap_or_default();
        text += &format!("; {} {flags} {ty}", speller.token(field.token()));
    }
    text
}

fn body(mut speller: Speller<'_>, pdb: Option<&Pdb>, method: MethodDefId, outsiders: &Outsiders) -> Body {
    let module = speller.module;
    let mut body = Body {
        owner: module.declaring_type_of_method(method).ok().flatten(),
        may_change: true,
        ..Body::default()
    };
    let Ok(sig) = module.method_sig(method) else { return Body { is_open: true, ..body } };
    body.has_this = sig.has_this;
    for ty in &sig.params {
        body.inputs.extend(given(&mut speller, ty, outsiders));
    }
    body.takes_anything = speller.names_anything || sig.generic_arity > 0;
    body.inputs.extend(given(&mut speller, &sig.ret, outsiders));
    let row = module.method_def(method).ok();
    // Who stands in for a method without code may return anything.
    body.takes_anything |= speller.names_anything && row.as_ref().is_some_and(|row| row.rva == 0);
    let may_compare = row.is_some_and(|row| row.name == "Equals");
    let code = match module.method_body(method) {
        Ok(Some(code)) => code,
        Ok(None) => return body,
        Err(_) => return Body { is_open: true, ..body },
    };
    let mut digest = Digesting::new();
    digest.part("frame", format!("{} {}", code.max_stack, code.init_locals));
    let locals = code.local_var_sig.map(|sig| speller.token(sig.token())).unwrap_or_default();
    digest.part("locals", locals);
    for clause in &code.clauses {
        digest.part("clause", format!("{:?} {:?}", clause.try_range, clause.handler));
        match clause.kind {
            ClauseKind::Catch(ty) => digest.part("catch", speller.token(ty)),
            other => digest.part("kind", format!("{other:?}")),
        };
    }
    let mut writes = false;
    for instruction in code.instructions() {
        let Ok(instruction) = instruction else { return Body { is_open: true, ..body } };
        let (at, opcode) = (instruction.offset, instruction.opcode.name());
        writes |= opcode.starts_with("st") && !opcode.starts_with("stloc") || opcode.ends_with("flda");
        let operand = match instruction.operand {
            Operand::Token(token) => {
                let text = speller.token(token);
                body.is_open |= is_open(&text);
                body.methods.extend(methods_named(module, token));
                text
            }
            Operand::Switch(targets) => format!("{:?}", targets.iter().collect::<Vec<u32>>()),
            other => format!("{other:?}"),
        };
        digest.part("at", format!("{at} {opcode} {operand}"));
    }
    for point in pdb.and_then(|pdb| pdb.sequence_points(method).ok()).unwrap_or_default() {
        let document = pdb.and_then(|pdb| pdb.document_name(point.document).ok());
        digest.part("line", format!("{} {document:?} {:?}", point.il_offset, point.span));
    }
    // Nobody calls it to make an object what it should be.
    body.may_change = writes || !may_compare;
    body.types = speller.types;
    body.digest = Some(digest.key());
    body
}

/// Whether code that names this can come to anything.
fn is_open(text: &str) -> bool {
    let is_foreign = |part: &str| !KNOWN.iter().any(|known| part.starts_with(known));
    let foreign = text.match_indices('[').any(|(at, _)| {
        let part = text.get(at..).unwrap_or_default();
        // `[]` and `[1 …]` are arrays.
        part.chars().nth(1).is_some_and(char::is_alphabetic) && is_foreign(part)
    });
    let of_types = text.contains(OF_TYPE) && !HARMLESS.iter().any(|harmless| text.contains(harmless));
    foreign || of_types || ANYTHING.iter().any(|name| text.contains(name))
}

/// The methods of the assembly that a token may mean.
fn methods_named(module: &Module, token: Token) -> Vec<u32> {
    match token.row_ref() {
        Some(RowRef::MethodDef(_)) => vec![token.raw()],
        Some(RowRef::MethodSpec(spec)) => {
            module.method_spec(spec).map(|row| methods_named(module, row.method)).unwrap_or_default()
        }
        Some(RowRef::MemberRef(member)) => {
            let Ok(row) = module.member_ref(member) else { return Vec::new() };
            let Some(RowRef::TypeDef(class)) = definition(module, row.class).row_ref() else {
                return Vec::new();
            };
            let methods =
                module.type_def(class).map(|class| class.methods.collect::<Vec<_>>()).unwrap_or_default();
            let is_it =
                |method: &MethodDefId| module.method_def(*method).is_ok_and(|own| own.name == row.name);
            methods.into_iter().filter(is_it).map(|method| method.token().raw()).collect()
        }
        _ => Vec::new(),
    }
}

/// A walk over what a method leads to.
struct Walk<'a> {
    closures: &'a Closures,
    methods: FxHashSet<u32>,
    touched: FxHashSet<TypeDefId>,
    inputs: FxHashSet<TypeDefId>,
    waiting: Vec<Step>,
    is_open: bool,
}

enum Step {
    Method(u32),
    Touched(TypeDefId),
    Input(TypeDefId),
}

impl<'a> Walk<'a> {
    fn new(closures: &'a Closures) -> Walk<'a> {
        let (methods, touched, inputs) = Default::default();
        Walk { closures, methods, touched, inputs, waiting: Vec::new(), is_open: false }
    }

    fn method(&mut self, token: u32) {
        if self.methods.insert(token) {
            self.waiting.push(Step::Method(token));
        }
    }

    /// There may be an object of the type.
    fn touch(&mut self, ty: TypeDefId) {
        if self.touched.insert(ty) {
            self.waiting.push(Step::Touched(ty));
        }
    }

    /// An object of the type may be given.
    fn input(&mut self, ty: TypeDefId) {
        self.touch(ty);
        if self.inputs.insert(ty) {
            self.waiting.push(Step::Input(ty));
        }
    }

    fn finish(&mut self) {
        let closures = self.closures;
        while let Some(step) = self.waiting.pop() {
            if self.is_open {
                return;
            }
            match step {
                Step::Method(token) => {
                    let Some(body) = closures.bodies.get(&token) else { continue };
                    self.is_open |= body.is_open;
                    body.methods.iter().for_each(|method| self.method(*method));
                    body.types.iter().chain(&body.owner).for_each(|ty| self.touch(*ty));
                }
                Step::Touched(ty) => {
                    let Some(class) = closures.types.get(&ty) else { continue };
                    class.called.iter().for_each(|method| self.method(*method));
                    class.base.iter().for_each(|base| self.touch(*base));
                    // What static fields hold is an input where it is not known.
                    self.is_open |= class.statics_hold_anything;
                    class.statics.iter().for_each(|ty| self.input(*ty));
                }
                Step::Input(ty) => {
                    let Some(class) = closures.types.get(&ty) else { continue };
                    self.is_open |= class.holds_anything;
                    class.below.iter().chain(&class.fields).chain(&class.base).for_each(|ty| self.input(*ty));
                    for token in &class.methods {
                        self.method(*token);
                        let Some(body) = closures.bodies.get(token) else { continue };
                        self.is_open |= body.takes_anything && body.may_change;
                        body.inputs.iter().for_each(|ty| self.input(*ty));
                    }
                }
            }
        }
    }
}
