//! Which stub classes a file needs: one per mocked type, with a place for every result that some test of the file gives.

use std::collections::{BTreeMap, BTreeSet};

use crate::identifier::word;
use case::contract::{ByRef, Contract, ContractMember, PropertyShape, Shape, ShapeParameter, substituted};
use case::type_facts::{TypeFacts, TypeKind};
use case::type_name::TypeName;
use case::{Case, Mock, MockedCall, MockedProperty, Mode, ObjectKind, Value};

/// The mocked type and further interfaces.
pub type Key = (String, Vec<String>);

/// The stub classes of one file.
#[derive(Default)]
pub struct Stubs {
    all: BTreeMap<Key, Stub>,
    delegates: BTreeMap<String, Contract>,
}

/// A class that stands for a mocked type in the tests of one file.
pub struct Stub {
    pub name: String,
    pub ty: String,
    pub interfaces: Vec<String>,
    pub contract: Contract,
    pub slots: Vec<Slot>,
    /// Who declares the methods and accessors that give something, and their names.
    pub used: BTreeSet<(String, String)>,
    /// The constructors that tests call, by their parameter types.
    pub constructors: BTreeSet<Vec<String>>,
    /// The members that are implemented explicitly.
    pub explicit: BTreeSet<usize>,
    /// How it calls the method that gives the next result.
    pub next: String,
}

/// A place that tests put results in.
pub struct Slot {
    pub of: SlotOf,
    /// The member of the stub that holds it.
    pub name: String,
    /// The type of one result.
    pub ty: String,
    /// A list, of which every call takes the next one.
    pub many: bool,
}

#[derive(Clone, PartialEq, Eq)]
pub enum SlotOf {
    Property { declared_in: String, name: String },
    Call { call: CallKey, part: Part },
}

#[derive(Clone, PartialEq, Eq)]
pub struct CallKey {
    pub declared_in: String,
    pub method: String,
    pub parameters: Vec<String>,
    pub generics: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The exception that a call throws, if any.
    Throws,
    Returns,
    Parameter(usize),
}

impl SlotOf {
    fn method(&self) -> Option<(String, String)> {
        match self {
            SlotOf::Call { call, .. } => Some((call.declared_in.clone(), call.method.clone())),
            SlotOf::Property { .. } => None,
        }
    }
}

pub fn key(mock: &Mock) -> Key {
    (mock.ty.clone(), mock.interfaces.clone())
}

impl CallKey {
    pub fn of(call: &MockedCall) -> CallKey {
        CallKey {
            declared_in: call.declared_in.clone(),
            method: call.method.clone(),
            parameters: call.parameters.clone(),
            generics: call.generic_arguments.clone(),
        }
    }
}

impl Stubs {
    /// For the cases of one file, whose test class is in the namespace.
    pub fn plan(cases: &[&Case], surroundings: &dyn TypeFacts, namespace: &str, class: &str) -> Stubs {
        let mut stubs = Stubs::default();
        let mut mocks: BTreeMap<Key, Vec<(&Case, &Mock)>> = BTreeMap::new();
        for case in cases {
            for object in &case.objects {
                if let ObjectKind::Mock(mock) = &object.kind {
                    mocks.entry(key(mock)).or_default().push((case, mock));
                }
            }
        }
        let mut taken = BTreeSet::new();
        for (key, mocks) in mocks {
            let Some(contract) = surroundings.contract(&key.0, &key.1) else { continue };
            if contract.kind == TypeKind::Delegate {
                stubs.delegates.insert(key.0, contract);
                continue;
            }
            let name = class_name(&key, surroundings, namespace, &mut taken);
            stubs.all.insert(key.clone(), Stub::plan(name, class, key, contract, &mocks));
        }
        stubs
    }

    pub fn get(&self, key: &Key) -> Option<&Stub> {
        self.all.get(key)
    }

    pub fn delegate(&self, ty: &str) -> Option<&Contract> {
        self.delegates.get(ty)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Key, &Stub)> {
        self.all.iter()
    }
}

/// `IPriceService` → `PriceServiceStub`.
fn class_name(
    key: &Key,
    surroundings: &dyn TypeFacts,
    namespace: &str,
    taken: &mut BTreeSet<String>,
) -> String {
    let parsed = TypeName::parse(&key.0);
    let base = format!("{}Stub", parsed.as_ref().map_or_else(String::new, |name| plain_name(name.simple())));
    let own = parsed.map(|name| name.namespace).unwrap_or_default();
    let is_type = |name: &str| {
        [namespace, own.as_str(), ""].iter().any(|place| {
            let full = if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
            surroundings.type_info(&full).is_some()
        })
    };
    let numbered = std::iter::once(base.clone()).chain((2..).map(|n| format!("{base}{n}")));
    let free = numbered.into_iter().find(|name| !is_type(name) && !taken.contains(name)).unwrap_or(base);
    taken.insert(free.clone());
    free
}

/// `IClock` → `Clock`.
pub fn plain_name(simple: &str) -> String {
    let rest = simple.strip_prefix('I').filter(|rest| rest.starts_with(char::is_uppercase));
    word(rest.unwrap_or(simple))
}

impl Stub {
    fn plan(name: String, outer: &str, key: Key, contract: Contract, mocks: &[(&Case, &Mock)]) -> Stub {
        // A method of the same name would hide it.
        let hidden = contract.members.iter().any(|member| member.name() == "Next");
        let next = if hidden { format!("{outer}.Next") } else { "Next".to_owned() };
        let explicit = explicit_members(&contract.members);
        let constructors = mocks
            .iter()
            .filter_map(|(_, mock)| mock.construction.as_ref())
            .map(|way| way.parameters.clone())
            .collect();
        let (ty, interfaces) = key;
        let (slots, accessors) = (Vec::new(), BTreeSet::new());
        let mut stub =
            Stub { name, ty, interfaces, contract, slots, used: accessors, constructors, explicit, next };
        let mut used: Vec<SlotOf> = Vec::new();
        for (_, mock) in mocks {
            for property in &mock.properties {
                push(&mut used, property_slot(property));
            }
            for call in &mock.calls {
                for part in stub.parts(call) {
                    push(&mut used, SlotOf::Call { call: CallKey::of(call), part });
                }
            }
        }
        stub.used = used.iter().filter_map(SlotOf::method).collect();
        // What is implemented explicitly has no member of its own that could keep what is set.
        let kept =
            stub.contract.members.iter().enumerate().filter_map(|(index, member)| match &member.shape {
                Shape::Property(property) if !stub.is_auto(index, member, property) && keeps(property) => {
                    Some(SlotOf::Property {
                        declared_in: member.declared_in.clone(),
                        name: property.name.clone(),
                    })
                }
                _ => None,
            });
        let kept: Vec<SlotOf> = kept.collect();
        kept.into_iter().for_each(|slot| push(&mut used, slot));
        let mut names: BTreeSet<String> =
            stub.contract.members.iter().map(|member| member.name().to_owned()).collect();
        names.extend([stub.name.clone(), "Next".to_owned()]);
        for of in used {
            if let Some(slot) = stub.slot_for(of, mocks, &mut names) {
                stub.slots.push(slot);
            }
        }
        stub
    }

    /// What a call gives: its result, and the parameters that it may set.
    fn parts(&self, call: &MockedCall) -> Vec<Part> {
        let Some((_, parameters, returns)) = self.called(call) else { return Vec::new() };
        let by_ref = parameters.iter().enumerate().filter(|(_, p)| matches!(p.mode, Mode::Out | Mode::Ref));
        let assigned = |index: usize| {
            call.results.iter().any(|r| r.assigns.iter().any(|a| a.parameter as usize == index))
        };
        let given: Vec<Part> =
            by_ref.filter(|(index, _)| assigned(*index)).map(|(index, _)| Part::Parameter(index)).collect();
        let returned = returns != "System.Void" && call.results.iter().any(|result| result.returns.is_some());
        let throws = call.results.iter().any(|result| result.throws.is_some());
        let thrown = throws.then_some(Part::Throws).into_iter();
        thrown.chain(given).chain(returned.then_some(Part::Returns)).collect()
    }

    /// The member behind a call, its parameters and its result type, over the type arguments of the call.
    pub fn called(&self, call: &MockedCall) -> Option<(usize, Vec<ShapeParameter>, String)> {
        called(&self.contract, call)
    }

    pub fn property(&self, wanted: &MockedProperty) -> Option<(usize, &PropertyShape)> {
        self.contract.members.iter().enumerate().find_map(|(index, member)| match &member.shape {
            Shape::Property(property)
                if property.name == wanted.name
                    && property.parameters.is_empty()
                    && member.declared_in == wanted.declared_in =>
            {
                Some((index, property))
            }
            _ => None,
        })
    }

    /// Whether `{ get; set; }` implements it.
    pub fn is_auto(&self, index: usize, member: &ContractMember, property: &PropertyShape) -> bool {
        self.shows(index, member, property) && !self.has_results(member, property)
    }

    /// Whether a property of its own name shows what it keeps.
    pub fn shows(&self, index: usize, member: &ContractMember, property: &PropertyShape) -> bool {
        let both = property.getter.is_some() && property.setter.is_some();
        property.parameters.is_empty()
            && property.by_ref == ByRef::No
            && !is_span(&property.ty)
            && awaited(&property.ty).is_none()
            && !self.explicit.contains(&index)
            && !member.is_static
            && (member.in_interface || both)
    }

    fn has_results(&self, member: &ContractMember, property: &PropertyShape) -> bool {
        let has_results = |accessor: &Option<String>| {
            let key = accessor.clone().map(|name| (member.declared_in.clone(), name));
            key.is_some_and(|key| self.used.contains(&key))
        };
        has_results(&property.getter) || has_results(&property.setter)
    }

    pub fn slot(&self, of: &SlotOf) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.of == *of)
    }

    fn slot_for(&self, of: SlotOf, mocks: &[(&Case, &Mock)], names: &mut BTreeSet<String>) -> Option<Slot> {
        match &of {
            SlotOf::Property { declared_in, name } => {
                let wanted = MockedProperty {
                    declared_in: declared_in.clone(),
                    name: name.clone(),
                    value: Value::Null,
                };
                let (index, property) = self.property(&wanted)?;
                let member = self.contract.members.get(index)?;
                let values = mocks.iter().flat_map(|(case, mock)| {
                    let same = mock.properties.iter().filter(|p| property_slot(p) == of);
                    same.map(move |p| (*case, &p.value))
                });
                let ty = kept_type(&property.ty, values);
                if self.is_auto(index, member, property) {
                    return Some(Slot { of: of.clone(), name: name.clone(), ty, many: false });
                }
                let base = self.prefixed(index, &word(name));
                Some(Slot { of: of.clone(), name: unique(format!("{base}Value"), names), ty, many: false })
            }
            SlotOf::Call { call, part } => self.call_slot(of.clone(), call, *part, mocks, names),
        }
    }

    fn call_slot(
        &self,
        of: SlotOf,
        call: &CallKey,
        part: Part,
        mocks: &[(&Case, &Mock)],
        names: &mut BTreeSet<String>,
    ) -> Option<Slot> {
        let same = mocks
            .iter()
            .flat_map(|(case, mock)| mock.calls.iter().map(move |known| (*case, known)))
            .filter(|(_, known)| CallKey::of(known) == *call);
        let all: Vec<(&Case, &MockedCall)> = same.collect();
        let (index, parameters, returns) = self.called(all.first()?.1)?;
        let (ty, is_ref) = match part {
            Part::Throws => ("System.Exception".to_owned(), false),
            Part::Returns => (returns, false),
            Part::Parameter(n) => {
                let parameter = parameters.get(n)?;
                (parameter.ty.clone(), parameter.mode == Mode::Ref)
            }
        };
        let many = all.iter().any(|(_, call)| is_sequence(call, part, is_ref))
            || self.is_also_kept(index, call, part, mocks);
        let given = all.iter().flat_map(|(case, call)| values(call, part).flatten().map(move |v| (*case, v)));
        let ty = kept_type(&ty, given);
        let mut base = match (call.method.strip_prefix("get_"), call.method.strip_prefix("set_")) {
            (Some(property), _) => word(property),
            (_, Some(property)) => format!("Set{}", word(property)),
            _ => word(&call.method),
        };
        base.push_str(&self.overload_word(index, call));
        let base = self.prefixed(index, &base);
        let name = match (part, many) {
            (Part::Throws, false) => format!("{base}Exception"),
            (Part::Throws, true) => format!("{base}Exceptions"),
            (Part::Returns, false) => format!("{base}Result"),
            (Part::Returns, true) => format!("{base}Results"),
            (Part::Parameter(n), false) => format!("{base}{}", word(&parameters.get(n)?.name)),
            (Part::Parameter(n), true) => format!("{base}{}Values", word(&parameters.get(n)?.name)),
        };
        Some(Slot { of, name: unique(name, names), ty, many })
    }

    /// Whether a getter gives its results first, and what the property keeps after them.
    fn is_also_kept(&self, index: usize, call: &CallKey, part: Part, mocks: &[(&Case, &Mock)]) -> bool {
        let shape = self.contract.members.get(index).map(|member| &member.shape);
        let Some(Shape::Property(property)) = shape else { return false };
        if !property.parameters.is_empty() || property.getter.as_ref() != Some(&call.method) {
            return false;
        }
        let of = SlotOf::Property { declared_in: call.declared_in.clone(), name: property.name.clone() };
        let mut listed = mocks.iter().flat_map(|(_, mock)| &mock.properties);
        keeps(property) || part == Part::Returns && listed.any(|property| property_slot(property) == of)
    }

    /// What tells methods of one name apart.
    fn overload_word(&self, index: usize, call: &CallKey) -> String {
        let simple = |ty: &String| TypeName::parse(ty).map(|n| word(n.simple())).unwrap_or_default();
        let name = self.contract.members.get(index).map(ContractMember::name);
        let members = self.contract.members.iter().enumerate();
        let same = members.filter(|(n, m)| Some(m.name()) == name && !self.explicit.contains(n)).count();
        if !call.generics.is_empty() {
            return format!("Of{}", call.generics.iter().map(simple).collect::<String>());
        }
        match same > 1 {
            true => call.parameters.iter().map(|p| simple(&p.trim_end_matches('&').to_owned())).collect(),
            false => String::new(),
        }
    }

    /// Explicit implementations are told apart by their interface.
    fn prefixed(&self, index: usize, base: &str) -> String {
        let member = self.contract.members.get(index).filter(|_| self.explicit.contains(&index));
        let interface = member.and_then(|member| TypeName::parse(&member.declared_in));
        format!("{}{base}", interface.map(|name| plain_name(name.simple())).unwrap_or_default())
    }
}

/// The member of a contract behind a call.
pub fn called(contract: &Contract, call: &MockedCall) -> Option<(usize, Vec<ShapeParameter>, String)> {
    let fits = |parameters: &[ShapeParameter]| {
        let types = parameters.iter().map(|p| {
            let by_ref = if p.mode == Mode::Value { "" } else { "&" };
            format!("{}{by_ref}", p.ty)
        });
        types.eq(call.parameters.iter().cloned())
    };
    contract.members.iter().enumerate().find_map(|(index, member)| {
        if member.declared_in != call.declared_in {
            return None;
        }
        let filled = |p: &ShapeParameter| ShapeParameter {
            ty: substituted(&p.ty, &call.generic_arguments),
            ..p.clone()
        };
        match &member.shape {
            Shape::Method(method)
                if method.name == call.method && method.generics.len() == call.generic_arguments.len() =>
            {
                let parameters: Vec<ShapeParameter> = method.parameters.iter().map(filled).collect();
                let returns = substituted(&method.returns, &call.generic_arguments);
                fits(&parameters).then_some((index, parameters, returns))
            }
            Shape::Property(property) if property.getter.as_ref() == Some(&call.method) => {
                fits(&property.parameters).then(|| (index, property.parameters.clone(), property.ty.clone()))
            }
            Shape::Property(property) if property.setter.as_ref() == Some(&call.method) => {
                let parameters = setter_parameters(property);
                fits(&parameters).then(|| (index, parameters, "System.Void".to_owned()))
            }
            _ => None,
        }
    })
}

/// Those of an indexer, then the value.
pub fn setter_parameters(property: &PropertyShape) -> Vec<ShapeParameter> {
    let value = ShapeParameter { name: "value".to_owned(), ty: property.ty.clone(), mode: Mode::Value };
    property.parameters.iter().cloned().chain([value]).collect()
}

/// What the part is call by call; none where a result leaves it open. A call that throws gives nothing.
pub fn values(call: &MockedCall, part: Part) -> impl Iterator<Item = Option<&Value>> {
    call.results.iter().filter(|result| result.throws.is_none()).map(move |result| match part {
        Part::Throws => None,
        Part::Returns => result.returns.as_ref(),
        Part::Parameter(n) => {
            result.assigns.iter().find(|a| a.parameter as usize == n).map(|assigns| &assigns.value)
        }
    })
}

/// Whether one value does not do for all calls.
fn is_sequence(call: &MockedCall, part: Part, is_ref: bool) -> bool {
    if part == Part::Throws {
        let thrown: Vec<_> = call.results.iter().map(case::MockedResult::exception).collect();
        return thrown.windows(2).any(|pair| pair.first() != pair.last());
    }
    let all: Vec<Option<&Value>> = values(call, part).collect();
    let differ = all.windows(2).any(|pair| pair.first() != pair.last());
    // A `ref` parameter that is not set stays as it is.
    differ || (is_ref && all.contains(&None))
}

pub fn property_slot(property: &MockedProperty) -> SlotOf {
    SlotOf::Property { declared_in: property.declared_in.clone(), name: property.name.clone() }
}

/// Spans cannot be kept: what they are over is.
fn kept_type<'v>(ty: &str, mut given: impl Iterator<Item = (&'v Case, &'v Value)>) -> String {
    if let Some(inner) = awaited(ty) {
        return inner.unwrap_or_else(|| "System.Object".to_owned());
    }
    if !is_span(ty) {
        return ty.to_owned();
    }
    let is_text = given.any(|(case, value)| match value {
        Value::Span { span, .. } => {
            let over = span.over.and_then(|id| case.object(id)).map(|object| &object.kind);
            matches!(over, Some(ObjectKind::String(_)))
        }
        _ => false,
    });
    let element = TypeName::parse(ty).and_then(|name| name.arguments.first().map(ToString::to_string));
    match element {
        _ if is_text => "System.String".to_owned(),
        Some(element) => format!("{element}[]"),
        None => ty.to_owned(),
    }
}

/// What awaiting a task of the type gives, nothing for a bare one; none when it is no task.
pub fn awaited(ty: &str) -> Option<Option<String>> {
    let name = TypeName::parse(ty).filter(TypeName::is_plain)?;
    let is_task = name.namespace == "System.Threading.Tasks" && matches!(name.simple(), "Task" | "ValueTask");
    is_task.then(|| name.arguments.first().map(ToString::to_string))
}

pub fn is_span(ty: &str) -> bool {
    ty.starts_with("System.Span`1[") || ty.starts_with("System.ReadOnlySpan`1[")
}

/// The indices of members that another one of the same name keeps from being implemented in public.
fn explicit_members(members: &[ContractMember]) -> BTreeSet<usize> {
    let signature = |member: &ContractMember| match &member.shape {
        Shape::Method(method) => {
            let types: Vec<String> = method.parameters.iter().map(|p| p.ty.clone()).collect();
            format!("({}){}", types.join(","), method.generics.len())
        }
        Shape::Property(property) if !property.parameters.is_empty() => {
            let types: Vec<String> = property.parameters.iter().map(|p| p.ty.clone()).collect();
            format!("[{}]", types.join(","))
        }
        Shape::Property(_) | Shape::Event { .. } => String::new(),
    };
    let mut explicit = BTreeSet::new();
    for (index, member) in members.iter().enumerate().filter(|(_, member)| member.in_interface) {
        let earlier = members.iter().take(index);
        let clashes = earlier.filter(|other| other.name() == member.name()).any(|other| {
            // Overloads may stand side by side, other things of one name may not.
            signature(other) == signature(member)
                || signature(other).starts_with('(') != signature(member).starts_with('(')
        });
        let hides = hides_object(member.name(), &signature(member));
        if clashes || hides || member.access != case::contract::Access::Public {
            explicit.insert(index);
        }
    }
    explicit
}

/// Every class has these from `object`.
fn hides_object(name: &str, signature: &str) -> bool {
    match name {
        "Equals" => ["(System.Object)0", "(System.Object,System.Object)0"].contains(&signature),
        "ReferenceEquals" => signature == "(System.Object,System.Object)0",
        "GetHashCode" | "ToString" | "GetType" | "MemberwiseClone" => {
            !signature.starts_with('(') || signature == "()0"
        }
        _ => false,
    }
}

/// A property that can be read shows what was put there.
fn keeps(property: &PropertyShape) -> bool {
    property.parameters.is_empty()
        && property.getter.is_some()
        && property.setter.is_some()
        && awaited(&property.ty).is_none()
}

fn push(all: &mut Vec<SlotOf>, slot: SlotOf) {
    if !all.contains(&slot) {
        all.push(slot);
    }
}

fn unique(name: String, taken: &mut BTreeSet<String>) -> String {
    let numbered = std::iter::once(name.clone()).chain((2..).map(|n| format!("{name}{n}")));
    let free = numbered.into_iter().find(|name| !taken.contains(name)).unwrap_or(name);
    taken.insert(free.clone());
    free
}
