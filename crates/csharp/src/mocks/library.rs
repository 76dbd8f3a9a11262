//! Mocks of a mocking library, for projects that use one. What it cannot do falls back to a stub class, and the test says so.

use crate::identifier;
use crate::literal::Wanted;
use crate::mocks::plan::{Part, Stub, awaited, is_span, key, values};
use crate::test::{TestWriter, Written};
use crate::value::member_name;
use case::contract::{Access, ByRef, ContractMember, Shape, ShapeParameter};
use case::type_facts::TypeKind;
use case::type_name::TypeName;
use case::{Mock, MockedCall, MockedProperty, Mode, ObjectId, Value};

/// Where mocks come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MockLibrary {
    /// Small classes in the test file.
    #[default]
    None,
    Moq,
    NSubstitute,
}

impl MockLibrary {
    pub fn parse(text: &str) -> Option<MockLibrary> {
        Some(match text {
            "none" => MockLibrary::None,
            "moq" => MockLibrary::Moq,
            "nsubstitute" => MockLibrary::NSubstitute,
            _ => return None,
        })
    }

    /// The library that a project file refers to.
    pub fn of_project(text: &str) -> Option<MockLibrary> {
        let refers = |package: &str| {
            let lower = text.to_lowercase();
            ["include=\"", "update=\""].iter().any(|start| lower.contains(&format!("{start}{package}\"")))
        };
        if refers("moq") {
            Some(MockLibrary::Moq)
        } else if refers("nsubstitute") {
            Some(MockLibrary::NSubstitute)
        } else {
            None
        }
    }

    pub fn namespace(self) -> Option<(&'static str, &'static [&'static str])> {
        match self {
            MockLibrary::None => None,
            MockLibrary::Moq => Some(("Moq", &["Mock", "It", "Times"])),
            MockLibrary::NSubstitute => Some(("NSubstitute", &["Substitute", "Arg"])),
        }
    }

    pub fn package(self) -> Option<(&'static str, &'static str)> {
        match self {
            MockLibrary::None => None,
            MockLibrary::Moq => Some(("Moq", "4.20.72")),
            MockLibrary::NSubstitute => Some(("NSubstitute", "5.3.0")),
        }
    }

    fn title(self) -> &'static str {
        match self {
            MockLibrary::None => "",
            MockLibrary::Moq => "Moq",
            MockLibrary::NSubstitute => "NSubstitute",
        }
    }

    fn anything(self) -> &'static str {
        if self == MockLibrary::Moq { "It.IsAny" } else { "Arg.Any" }
    }
}

impl TestWriter<'_> {
    /// None: a stub class stands for it.
    pub(super) fn library_mock(&mut self, id: ObjectId, mock: &Mock, hint: &str) -> Written<Option<String>> {
        let library = self.dialect.mocks;
        let stubs = self.stubs;
        let Some(stub) = stubs.get(&key(mock)).filter(|_| library != MockLibrary::None) else {
            return Ok(None);
        };
        if let Some(why) = why_not(stub, mock, library) {
            let note = format!("{} cannot do this: {why}", library.title());
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
            return Ok(None);
        }
        let short = TypeName::parse(&mock.ty).map(|name| name.simple().to_owned()).unwrap_or_default();
        let name = self.public_name(&mock.ty).ok_or_else(|| format!("{short} is not public"))?;
        let mut arguments = Vec::new();
        let way = mock.construction.iter().flat_map(|way| way.parameters.iter().zip(&way.arguments));
        for (ty, value) in way {
            arguments.push(self.value(value, ty, Wanted::Exact, "value")?);
        }
        let arguments = arguments.join(", ");
        let is_class = stub.contract.kind == TypeKind::Class;
        let text = match (library, is_class) {
            (MockLibrary::Moq, true) => format!("new Mock<{name}>({arguments}) {{ CallBase = true }}"),
            (MockLibrary::Moq, false) => format!("new Mock<{name}>()"),
            (_, true) => format!("Substitute.ForPartsOf<{name}>({arguments})"),
            (_, false) => format!("Substitute.For<{name}>()"),
        };
        let local = self.declare(id, "var", &text, hint);
        let expression = if library == MockLibrary::Moq { format!("{local}.Object") } else { local.clone() };
        self.objects.insert(id, expression.clone());
        if library == MockLibrary::Moq && stub.contract.members.iter().any(keeps) {
            self.arrange.push(format!("{local}.SetupAllProperties();"));
        }
        for property in &mock.properties {
            self.library_property(stub, property, &local)?;
        }
        self.library_nulls(stub, mock, &local)?;
        for call in &mock.calls {
            self.library_call(stub, call, &local)?;
        }
        Ok(Some(expression))
    }

    /// Whether a mock is an object of the library.
    pub(super) fn is_in_library(&self, stub: &Stub, mock: &Mock) -> bool {
        let library = self.dialect.mocks;
        library != MockLibrary::None && why_not(stub, mock, library).is_none()
    }

    fn library_property(&mut self, stub: &Stub, property: &MockedProperty, local: &str) -> Written<()> {
        let Some((_, shape)) = stub.property(property) else {
            return Err(format!("there is no property {} to stand for", property.name));
        };
        let name = member_name(&property.name)?;
        let text = self.library_result(Some(&property.value), &shape.ty, &property.name)?;
        self.arrange.push(match (self.dialect.mocks, shape.setter.is_some()) {
            (MockLibrary::Moq, true) => format!("{local}.SetupProperty(m => m.{name}, {text});"),
            (MockLibrary::Moq, false) => format!("{local}.Setup(m => m.{name}).Returns({text});"),
            (_, true) => format!("{local}.{name} = {text};"),
            (_, false) => format!("{local}.{name}.Returns({text});"),
        });
        Ok(())
    }

    fn library_call(&mut self, stub: &Stub, call: &MockedCall, local: &str) -> Written<()> {
        let Some((index, parameters, returns)) = stub.called(call) else {
            return Err(format!("there is no method {} to stand for", call.method));
        };
        let throws = call.results.iter().any(|result| result.throws.is_some());
        if returns == "System.Void" && !throws {
            return Ok(());
        }
        let same = call.results.windows(2).all(|pair| pair.first() == pair.last());
        let mut results = Vec::new();
        for result in call.results.iter().take(if same { 1 } else { usize::MAX }) {
            results.push(match &result.throws {
                Some(_) => Given::Throws(self.exception(result)?),
                None => {
                    Given::Returns(self.library_result(result.returns.as_ref(), &returns, &call.method)?)
                }
            });
        }
        let outs = self.out_values(call, &parameters)?;
        let is_void = returns == "System.Void";
        let line = match self.dialect.mocks {
            MockLibrary::NSubstitute if is_void => {
                let target = self.target(stub, index, call, &parameters, "m", &[])?;
                let thrown: String = results.iter().map(Given::text).collect();
                format!("{local}.When(m => {target}).Do(_ => throw {thrown});")
            }
            MockLibrary::NSubstitute => {
                let target = self.target(stub, index, call, &parameters, local, &[])?;
                // `throw` alone does not say whether it stands for the task or for what is in it.
                let of = match throws && awaited(&returns).is_some() {
                    true => format!("<{}>", self.public_name(&returns).unwrap_or_default()),
                    false => String::new(),
                };
                format!("{target}.Returns{of}({});", substituted_results(&results, &outs))
            }
            _ => {
                let passed = self.out_locals(outs, &parameters)?;
                let target = self.target(stub, index, call, &parameters, "m", &passed)?;
                let setup = if results.len() == 1 { "Setup" } else { "SetupSequence" };
                let given: String = results.iter().map(Given::moq).collect();
                format!("{local}.{setup}(m => {target}){given};")
            }
        };
        self.arrange.push(line);
        Ok(())
    }

    /// Moq takes what `out` parameters are set to from variables.
    fn out_locals(
        &mut self,
        outs: Vec<(usize, String)>,
        parameters: &[ShapeParameter],
    ) -> Written<Vec<(usize, String)>> {
        let mut passed = Vec::new();
        for (n, text) in outs {
            let Some(parameter) = parameters.get(n) else { continue };
            let ty =
                self.public_name(&parameter.ty).ok_or_else(|| format!("{} is not public", parameter.ty))?;
            let local = self.fresh(&parameter.name);
            self.arrange.push(format!("{ty} {local} = {text};"));
            passed.push((n, local));
        }
        Ok(passed)
    }

    fn library_result(&mut self, value: Option<&Value>, ty: &str, hint: &str) -> Written<String> {
        if let Some(inner) = awaited(ty) {
            let text = match (&inner, value) {
                (Some(inner), Some(value)) => Some(self.value(value, inner, Wanted::Converted, hint)?),
                (Some(inner), None) => Some(self.library_default(inner)?),
                (None, _) => None,
            };
            return self.in_task(ty, inner.as_deref(), text);
        }
        match value {
            Some(value) => self.value(value, ty, Wanted::Exact, hint),
            None => self.library_default(ty),
        }
    }

    /// Its type is written: `null` alone could be a function as well.
    fn library_default(&self, ty: &str) -> Written<String> {
        Ok(match ty {
            "System.Boolean" => "false".to_owned(),
            "System.Int32" => "0".to_owned(),
            _ => {
                let name = self.public_name(ty).ok_or_else(|| format!("{ty} is not public"))?;
                format!("default({name})")
            }
        })
    }

    /// Libraries make up results of their own where nothing was said: empty strings and arrays, further mocks.
    fn library_nulls(&mut self, stub: &Stub, mock: &Mock, local: &str) -> Written<()> {
        for member in &stub.contract.members {
            let Shape::Property(property) = &member.shape else { continue };
            let listed = mock.properties.iter().any(|p| p.name == property.name)
                || mock.calls.iter().any(|call| Some(&call.method) == property.getter.as_ref());
            let made_up = match self.dialect.mocks {
                MockLibrary::Moq => is_enumerable(&property.ty),
                _ => self.may_be_null(&property.ty),
            };
            let readable = property.parameters.is_empty() && property.getter.is_some();
            if listed || !made_up || !readable || member.access != Access::Public || property.init {
                continue;
            }
            let none = MockedProperty {
                declared_in: member.declared_in.clone(),
                name: property.name.clone(),
                value: Value::Null,
            };
            self.library_property(stub, &none, local)?;
        }
        Ok(())
    }

    /// What is given through `out` parameters: the same with every call.
    fn out_values(
        &mut self,
        call: &MockedCall,
        parameters: &[ShapeParameter],
    ) -> Written<Vec<(usize, String)>> {
        let mut outs = Vec::new();
        for (n, parameter) in parameters.iter().enumerate().filter(|(_, p)| p.mode == Mode::Out) {
            let first = values(call, Part::Parameter(n)).next().flatten().cloned();
            let text = match first {
                Some(value) => self.value(&value, &parameter.ty, Wanted::Exact, &parameter.name)?,
                None => self.library_default(&parameter.ty)?,
            };
            outs.push((n, text));
        }
        Ok(outs)
    }

    /// `m.Price(It.IsAny<string>())`
    fn target(
        &self,
        stub: &Stub,
        index: usize,
        call: &MockedCall,
        parameters: &[ShapeParameter],
        on: &str,
        outs: &[(usize, String)],
    ) -> Written<String> {
        let anything = self.dialect.mocks.anything();
        let mut arguments = Vec::new();
        for (n, parameter) in parameters.iter().enumerate() {
            let passed = outs.iter().find(|(out, _)| *out == n).map(|(_, local)| local);
            let ty =
                self.public_name(&parameter.ty).ok_or_else(|| format!("{} is not public", parameter.ty))?;
            arguments.push(match (parameter.mode, passed) {
                (Mode::Out, Some(local)) => format!("out {local}"),
                (Mode::Out, None) => format!("out {anything}<{ty}>()"),
                _ => format!("{anything}<{ty}>()"),
            });
        }
        let arguments = arguments.join(", ");
        let mut generics = Vec::new();
        for argument in &call.generic_arguments {
            generics.push(self.public_name(argument).ok_or_else(|| format!("{argument} is not public"))?);
        }
        let generics = if generics.is_empty() { String::new() } else { format!("<{}>", generics.join(", ")) };
        Ok(match stub.contract.members.get(index).map(|member| &member.shape) {
            Some(Shape::Property(property)) if property.parameters.is_empty() => {
                format!("{on}.{}", member_name(&property.name)?)
            }
            Some(Shape::Property(_)) => format!("{on}[{arguments}]"),
            _ => format!("{on}.{}{generics}({arguments})", member_name(&call.method)?),
        })
    }
}

/// What one call gives, as it is written.
enum Given {
    Returns(String),
    Throws(String),
}

impl Given {
    fn text(&self) -> &str {
        match self {
            Given::Returns(text) | Given::Throws(text) => text,
        }
    }

    fn moq(&self) -> String {
        match self {
            Given::Returns(text) => format!(".Returns({text})"),
            Given::Throws(text) => format!(".Throws({text})"),
        }
    }
}

/// The arguments of NSubstitute's `Returns`.
fn substituted_results(results: &[Given], outs: &[(usize, String)]) -> String {
    if !outs.is_empty() {
        let set: Vec<String> = outs.iter().map(|(n, text)| format!("call[{n}] = {text};")).collect();
        let result = results.first().map_or("", Given::text);
        return format!("call => {{ {} return {result}; }}", set.join(" "));
    }
    let throws = results.iter().any(|given| matches!(given, Given::Throws(_)));
    let texts: Vec<String> = results
        .iter()
        .map(|given| match given {
            Given::Returns(text) if throws => format!("_ => {text}"),
            Given::Returns(text) => text.clone(),
            Given::Throws(text) => format!("_ => throw {text}"),
        })
        .collect();
    texts.join(", ")
}

/// Moq gives empty ones.
fn is_enumerable(ty: &str) -> bool {
    ty.ends_with(']') && (ty.ends_with("[]") || ty.contains("IEnumerable`1") || ty.contains("IQueryable`1"))
        || ty.starts_with("System.Threading.Tasks.")
        || ty == "System.Collections.IEnumerable"
}

fn keeps(member: &ContractMember) -> bool {
    match &member.shape {
        Shape::Property(p) => p.parameters.is_empty() && p.getter.is_some() && p.setter.is_some(),
        _ => false,
    }
}

fn is_settable(member: &ContractMember) -> bool {
    matches!(&member.shape, Shape::Property(property) if property.setter.is_some())
}

/// Why the library cannot stand for it.
fn why_not(stub: &Stub, mock: &Mock, library: MockLibrary) -> Option<String> {
    let contract = &stub.contract;
    let short = TypeName::parse(&mock.ty).map(|name| name.simple().to_owned()).unwrap_or_default();
    if !mock.interfaces.is_empty() {
        return Some(format!("{short} is mocked together with other interfaces"));
    }
    if contract.kind == TypeKind::Class && mock.construction.is_none() {
        return Some(format!("{short} is made without a constructor"));
    }
    if contract.kind == TypeKind::Interface && contract.has_own_bodies {
        return Some(format!("{short} has members with a body"));
    }
    if let Some(member) = contract.members.iter().find(|member| member.access == Access::Hidden) {
        return Some(format!("{} is not public", member.name()));
    }
    if contract.members.iter().any(|member| member.is_static) {
        return Some(format!("{short} has static members"));
    }
    for property in &mock.properties {
        let (index, shape) = stub.property(property)?;
        let member = contract.members.get(index)?;
        if shape.init {
            return Some(format!("{} can only be initialised", property.name));
        }
        if let Some(why) = hidden(stub, index, member, shape.by_ref, &shape.ty) {
            return Some(why);
        }
    }
    mock.calls.iter().find_map(|call| {
        let (index, parameters, returns) = stub.called(call)?;
        let member = contract.members.get(index)?;
        let by_ref = match &member.shape {
            Shape::Method(method) => method.by_ref,
            Shape::Property(property) => property.by_ref,
            Shape::Event { .. } => ByRef::No,
        };
        let out = parameters.iter().any(|p| p.mode == Mode::Out);
        let throws = call.results.iter().any(|result| result.throws.is_some());
        let once = call.results.windows(2).all(|pair| pair.first() == pair.last());
        if throws && is_settable(member) {
            Some(format!("{} throws and can be set", member.name()))
        } else if parameters.iter().any(|p| matches!(p.mode, Mode::Ref | Mode::In)) {
            Some(format!("{} has a parameter by reference", call.method))
        } else if out && (!once || throws || returns == "System.Void") {
            Some(format!("{} has an out parameter", call.method))
        } else if throws && !once && returns == "System.Void" {
            Some(format!("{} does not throw with every call", call.method))
        } else if library == MockLibrary::Moq && identifier::written(&call.method).is_none() {
            Some(format!("{} has no plain name", call.method))
        } else {
            hidden(stub, index, member, by_ref, &returns)
        }
    })
}

fn hidden(stub: &Stub, index: usize, member: &ContractMember, by_ref: ByRef, ty: &str) -> Option<String> {
    if member.access != Access::Public {
        Some(format!("{} is protected", member.name()))
    } else if by_ref != ByRef::No || is_span(ty) {
        Some(format!("{} gives a reference", member.name()))
    } else if stub.explicit.contains(&index) {
        Some(format!("{} is a name of several members", member.name()))
    } else {
        None
    }
}
