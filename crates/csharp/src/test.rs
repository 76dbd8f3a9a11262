//! One test method: the statements of its three parts.

use std::collections::{BTreeMap, BTreeSet};

use crate::framework::Dialect;
use crate::mocks::{Key, Stubs};
use crate::object::Later;
use crate::scope::Scope;
use crate::statics::AroundStatics;
use crate::{identifier, named, theory};
use case::graph::Graph;
use case::type_facts::{MethodInfo, TypeFacts, TypeInfo};
use case::type_name::TypeName;
use case::{Case, Consume, ObjectId, ObjectKind, Outcome, Value};

/// Why a case cannot be written as C#.
pub type CannotWrite = String;
pub type Written<T> = Result<T, CannotWrite>;

pub struct TestWriter<'a> {
    pub(super) scope: &'a Scope<'a>,
    pub(super) surroundings: &'a dyn TypeFacts,
    pub(super) dialect: Dialect,
    pub(super) case: &'a Case,
    pub(super) method: MethodInfo,
    pub(super) arrange: Vec<String>,
    pub(super) act: Vec<String>,
    pub(super) assert: Vec<String>,
    names: BTreeSet<String>,
    pub(super) graph: Graph,
    /// Objects that must have a local variable.
    pub(super) named: BTreeSet<ObjectId>,
    /// Objects that have a local variable.
    pub(super) objects: BTreeMap<ObjectId, String>,
    /// Objects whose expression is being written.
    pub(super) pending: Vec<ObjectId>,
    /// Statements that wait for the value in them.
    pub(super) later: Vec<Later>,
    /// The first string of a text.
    pub(super) texts: BTreeMap<Vec<u16>, ObjectId>,
    /// New objects that an assertion has seen already, and where.
    pub(super) found: BTreeMap<ObjectId, String>,
    /// By-ref arguments: parameter index and the expression that reads the variable afterwards.
    pub(super) by_ref: Vec<(usize, String)>,
    /// The expression of the receiver after the call.
    pub(super) receiver: Option<String>,
    pub(super) reflection: Vec<String>,
    /// The classes that stand for mocked types.
    pub(super) stubs: &'a Stubs,
    pub(super) used_stubs: BTreeSet<Key>,
    /// It needs the method that gives results one after the other.
    pub(super) uses_next: bool,
    pub(super) is_async: bool,
    /// What a reader should know.
    pub(super) notes: Vec<String>,
    /// Values that are parameters of the test instead of being written where they are used.
    parametrised: BTreeSet<Place>,
    parameters: Vec<Parameter>,
}

/// A value of a case that can be a parameter of its test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    Argument(usize),
    Result,
}

/// A parameter of a test, and its value in one of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub place: Place,
    /// `int value`.
    pub declaration: String,
    pub ty: String,
    pub value: String,
}

/// The text of a test, unindented.
pub struct Test {
    pub lines: Vec<String>,
    pub uses_reflection: bool,
    /// What it is used for.
    pub reflection: Vec<String>,
    /// It sets or changes static fields.
    pub changes_statics: bool,
    pub used_stubs: BTreeSet<Key>,
    pub uses_next: bool,
    /// In the order of its declaration.
    pub parameters: Vec<Parameter>,
    /// What its method returns: nothing, or a task when it awaits something.
    pub returns: String,
}

impl<'a> TestWriter<'a> {
    pub fn new(
        scope: &'a Scope<'a>,
        surroundings: &'a dyn TypeFacts,
        dialect: Dialect,
        case: &'a Case,
        stubs: &'a Stubs,
    ) -> TestWriter<'a> {
        TestWriter {
            scope,
            surroundings,
            dialect,
            case,
            method: surroundings.method_info(&case.method).unwrap_or_default(),
            arrange: Vec::new(),
            act: Vec::new(),
            assert: Vec::new(),
            names: BTreeSet::new(),
            graph: Graph::of(case),
            named: named::locals(case),
            objects: BTreeMap::new(),
            pending: Vec::new(),
            later: Vec::new(),
            texts: BTreeMap::new(),
            found: BTreeMap::new(),
            by_ref: Vec::new(),
            receiver: None,
            reflection: Vec::new(),
            stubs,
            used_stubs: BTreeSet::new(),
            uses_next: false,
            is_async: false,
            notes: Vec::new(),
            parametrised: BTreeSet::new(),
            parameters: Vec::new(),
        }
    }

    /// With parameters in these places, as far as their values can be constants.
    pub fn parametrised(mut self, places: &BTreeSet<Place>) -> TestWriter<'a> {
        self.parametrised.clone_from(places);
        self
    }

    /// The name of the parameter that stands for a value; `None` if the value is to be written.
    pub(super) fn parameter(&mut self, place: Place, value: &Value, ty: &str, like: &str) -> Option<String> {
        if !self.parametrised.contains(&place) {
            return None;
        }
        let text = self.constant(value, ty)?;
        let ty = self.public_name(ty)?;
        let name = self.fresh(like);
        let declaration = format!("{ty} {name}");
        self.parameters.push(Parameter { place, declaration, ty, value: text });
        Some(name)
    }

    /// A value as an attribute may have it, if the parameter's type is that of a constant.
    fn constant(&mut self, value: &Value, ty: &str) -> Option<String> {
        let after = &self.case.expect.after.objects;
        match value {
            Value::Null if ty == "System.String" => Some("null".to_owned()),
            Value::Primitive(primitive) if primitive.type_name() == ty => theory::constant(*primitive),
            Value::Enum { ty: own, .. } if own == ty && self.public_name(ty).is_some() => {
                self.value(value, ty, crate::Wanted::Exact, "").ok()
            }
            Value::Object(id) if ty == "System.String" => {
                let object =
                    self.case.object(*id).or_else(|| after.iter().find(|object| object.id == *id))?;
                let ObjectKind::String(text) = &object.kind else { return None };
                // Where the same text is there twice, it may matter which of them is meant.
                let is_same = |other: &&case::Object| other.id != *id && other.kind == object.kind;
                let is_one =
                    !self.case.objects.iter().any(|other| is_same(&other)) && self.graph.uses(*id) <= 1;
                theory::text_constant(&text.0).filter(|_| is_one || text.0.is_empty())
            }
            _ => None,
        }
    }

    pub fn write(mut self) -> Written<Test> {
        // A local must not hide the type whose static member is called.
        self.reserve_type_names();
        let throws = matches!(self.case.expect.outcome, Outcome::Throws(_));
        let call = self.call(throws)?;
        let mut statics = self.around_statics()?;
        self.arrange.append(&mut statics.set);
        if self.act_in_loop(&call)? {
            self.assert_after()?;
            return Ok(self.finish(statics));
        }
        let (call, ty) = self.consumed(call)?;
        let awaits = self.case.consume == Some(Consume::Await);
        self.is_async = awaits;
        match &self.case.expect.outcome {
            Outcome::Throws(thrown) if awaits => self.assert_throws_awaited(&thrown.ty, &call)?,
            Outcome::Throws(thrown) => self.assert_throws(&thrown.ty, &call)?,
            Outcome::Void if self.case.method.is_constructor() => self.act_constructor(&call),
            Outcome::Void if self.initialised().is_some() => self.act_initialised(&call),
            Outcome::Void => self.act.push(format!("{};", call.text)),
            // Properties and indexers are no statements.
            Outcome::Returned if !call.is_statement => self.act.push(format!("_ = {};", call.text)),
            Outcome::Returned => self.act.push(format!("{};", call.text)),
            Outcome::Returns(value) => {
                let result = self.fresh("result");
                self.act.push(format!("var {result} = {};", call.text));
                match self.parameter(Place::Result, value, &ty, "expected") {
                    Some(expected) => self.assert.push(self.dialect.framework.equal(&expected, &result)),
                    None => self.assert_value(value, &ty, &result)?,
                }
            }
        }
        self.assert_after()?;
        Ok(self.finish(statics))
    }

    fn finish(self, statics: AroundStatics) -> Test {
        let mut lines = self.remarks();
        let throws = matches!(self.case.expect.outcome, Outcome::Throws(_));
        let asserts_nothing = self.assert.is_empty() && !throws;
        let parts = [self.arrange, self.act, self.assert].into_iter().filter(|part| !part.is_empty());
        let mut body = Vec::new();
        for (index, part) in parts.enumerate() {
            if index > 0 {
                body.push(String::new());
            }
            body.extend(part);
        }
        if asserts_nothing {
            body.push(String::new());
            body.push("// Passes when nothing is thrown.".to_owned());
        }
        lines.extend(statics.wrap(body));
        let uses_reflection = !self.reflection.is_empty();
        let returns = match self.is_async {
            true => format!("async {}", self.scope.known("System.Threading.Tasks.Task")),
            false => "void".to_owned(),
        };
        Test {
            lines,
            uses_reflection,
            reflection: self.reflection,
            changes_statics: self.case.changes_statics(),
            used_stubs: self.used_stubs,
            uses_next: self.uses_next,
            parameters: self.parameters,
            returns,
        }
    }

    /// What a reader should know before anything else.
    fn remarks(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.reflection.is_empty() {
            lines.push(format!("// By reflection: {}.", self.reflection.join("; ")));
        }
        lines.extend(self.notes.iter().map(|note| format!("// {note}.")));
        let broken = |rule: &String| format!("// No public member makes this input: {rule}.");
        lines.extend(self.case.breaks.iter().map(broken));
        lines
    }

    fn act_constructor(&mut self, call: &crate::call::Call) {
        let name = TypeName::parse(&self.case.method.ty);
        let local = self.fresh(name.as_ref().map_or("created", |name| name.simple()));
        self.act.push(format!("var {local} = {};", call.text));
        if let Some(Value::Object(id)) = self.case.expect.after.this {
            self.objects.insert(id, local.clone());
        }
        self.receiver = Some(local);
    }

    fn reserve_type_names(&mut self) {
        if let Some(name) = TypeName::parse(&self.case.method.ty) {
            self.names.extend(name.path.iter().map(|segment| segment.name.clone()));
        }
    }

    /// A new name for a local.
    pub(super) fn fresh(&mut self, like: &str) -> String {
        let base = identifier::local(like);
        let mut name = base.clone();
        let mut number = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{base}{number}");
            number += 1;
        }
        name
    }

    /// Whether something in the test cannot be done without.
    pub(super) fn uses_reflection(&self) -> bool {
        !self.reflection.is_empty()
    }

    pub(super) fn note_reflection(&mut self, why: String) {
        if !self.reflection.contains(&why) {
            self.reflection.push(why);
        }
    }

    pub(super) fn type_info(&self, ty: &TypeName) -> Option<TypeInfo> {
        self.surroundings.type_info(&ty.definition())
    }

    /// Whether a test may name the type.
    pub(super) fn is_public(&self, ty: &TypeName) -> bool {
        let known = match self.type_info(ty) {
            Some(info) => {
                self.scope.warned(&info.diagnostics);
                info.public
            }
            // What we are not told about is the base library's.
            None => ty.namespace == "System" || ty.namespace.starts_with("System."),
        };
        known
            && ty.arguments.iter().all(|argument| self.is_public(argument))
            && self.scope.type_name(ty).is_some()
    }

    /// The name of a type that the test may write.
    pub(super) fn public_name(&self, ty: &str) -> Option<String> {
        let name = TypeName::parse(ty)?;
        if self.is_public(&name) { self.scope.type_name(&name) } else { None }
    }

    /// An expression of type `System.Type`.
    pub(super) fn type_expression(&mut self, ty: &str) -> Written<String> {
        if let Some(name) = self.public_name(ty) {
            return Ok(format!("typeof({name})"));
        }
        let name = TypeName::parse(ty).ok_or_else(|| format!("`{ty}` is no type name"))?;
        let definition = name.definition();
        let assembly = self.surroundings.assembly_of(&definition);
        let assembly = assembly.ok_or_else(|| format!("it is not known which assembly has {definition}"))?;
        self.note_reflection(format!("{} is not public", name.simple()));
        let mut text = format!("Reflected.Type(\"{definition}, {assembly}\")");
        if !name.arguments.is_empty() {
            let mut arguments = Vec::new();
            for argument in &name.arguments {
                arguments.push(self.type_expression(&argument.to_string())?);
            }
            text = format!("{text}.MakeGenericType({})", arguments.join(", "));
        }
        for suffix in &name.suffixes {
            text.push_str(match suffix {
                case::type_name::Suffix::Array { rank: 1 } => ".MakeArrayType()",
                case::type_name::Suffix::Array { rank: 2 } => ".MakeArrayType(2)",
                _ => return Err(format!("{ty} is built on a type that is not public")),
            });
        }
        Ok(text)
    }
}
