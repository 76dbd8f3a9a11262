//! How objects of the framework's classes are made: one table from a class to the public constructors and static members
//! that give such an object, and what they are given. A class that is not in the table is made by its shortest public
//! constructors, if these take nothing but plain values.

use std::rc::Rc;

use types::{MethodId, Type, TypeId};

use crate::machine::Machine;
use verdict::Gap;

/// What a parameter is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Anything.
    Any,
    Number(i32),
    Text(&'static str),
    /// The type with this name.
    TypeOf(&'static str),
}

/// A way to make an object, with the types of what is given.
#[derive(Clone, Debug)]
pub enum Plan {
    Call { method: MethodId, given: Vec<(TypeId, Given)> },
    TypeOf(TypeId),
}

struct Recipe {
    ty: &'static str,
    ways: &'static [Way],
    /// Every object of the class can be made so.
    whole: bool,
}

/// Types are written as in reflection; `!0` is the class's first type argument.
struct Way {
    /// The class that declares the member; none: the class itself.
    of: &'static str,
    /// `.ctor`, a static method, or `typeof`.
    member: &'static str,
    /// Type arguments of a generic method.
    generic: &'static [&'static str],
    /// The types of the parameters and what they are given; another type than the parameter's after a `<-`.
    given: &'static [(&'static str, Given)],
}

const fn new(given: &'static [(&'static str, Given)]) -> Way {
    Way { of: "", member: ".ctor", generic: &[], given }
}

const fn new_of(of: &'static str, given: &'static [(&'static str, Given)]) -> Way {
    Way { of, member: ".ctor", generic: &[], given }
}

/// A static property.
const fn get(of: &'static str, member: &'static str) -> Way {
    Way { of, member, generic: &[], given: &[] }
}

/// A property or a field, by the class that has it and its name.
const fn member(member: &'static str, given: &'static [(&'static str, Given)]) -> Way {
    Way { of: "System.Reflection.RuntimeReflectionExtensions", member, generic: &[], given }
}

const fn type_of(of: &'static str) -> Way {
    Way { of, member: "typeof", generic: &[], given: &[] }
}

const fn some(ty: &'static str, ways: &'static [Way]) -> Recipe {
    Recipe { ty, ways, whole: false }
}

const fn whole(ty: &'static str, ways: &'static [Way]) -> Recipe {
    Recipe { ty, ways, whole: true }
}

use Given::{Any, Number, Text, TypeOf};

const STRING: &str = "System.String";
const INT: &str = "System.Int32";
const TYPE: &str = "System.Type";
const BYTES: &str = "System.Byte[]";
const CULTURE: &str = "System.Globalization.CultureInfo";
const MEMORY_STREAM: &str = "System.IO.MemoryStream";
const TASK: &str = "System.Threading.Tasks.Task";
const ITEMS: &str = "System.Collections.Generic.IEnumerable`1[!0]";
const PAIRS: &str =
    "System.Collections.Generic.IEnumerable`1[System.Collections.Generic.KeyValuePair`2[!0,!1]]";

// A property that can only be read, one that can be written too, one of text, and a field.
const LENGTH: Way = member("GetRuntimeProperty", &[(TYPE, TypeOf(STRING)), (STRING, Text("Length"))]);
const CAPACITY: Way =
    member("GetRuntimeProperty", &[(TYPE, TypeOf("System.Text.StringBuilder")), (STRING, Text("Capacity"))]);
const HELP: Way =
    member("GetRuntimeProperty", &[(TYPE, TypeOf("System.Exception")), (STRING, Text("HelpLink"))]);
const EMPTY: Way = member("GetRuntimeField", &[(TYPE, TypeOf(STRING)), (STRING, Text("Empty"))]);

const TABLE: &[Recipe] = &[
    some("System.Text.StringBuilder", &[new(&[(STRING, Any)])]),
    some("System.IFormatProvider", &[get(CULTURE, "get_InvariantCulture")]),
    some(
        CULTURE,
        &[
            get("", "get_InvariantCulture"),
            Way { of: "", member: "GetCultureInfo", generic: &[], given: &[(STRING, Text("en-US"))] },
            Way { of: "", member: "GetCultureInfo", generic: &[], given: &[(STRING, Text("de-DE"))] },
        ],
    ),
    some("System.Globalization.NumberFormatInfo", &[get("", "get_InvariantInfo")]),
    some("System.Globalization.DateTimeFormatInfo", &[get("", "get_InvariantInfo")]),
    whole(
        "System.Version",
        &[
            new(&[(INT, Any), (INT, Any)]),
            new(&[(INT, Any), (INT, Any), (INT, Any)]),
            new(&[(INT, Any), (INT, Any), (INT, Any), (INT, Any)]),
        ],
    ),
    some(
        "System.Uri",
        &[
            new(&[(STRING, Text("https://example.org/a/b?c=d#e"))]),
            // Relative ones.
            new(&[(STRING, Text("a/b")), ("System.UriKind", Number(2))]),
        ],
    ),
    // What comes of a seed is beyond any solver.
    some("System.Random", &[new(&[(INT, Number(1))])]),
    // Without delay it is cancelled already.
    some("System.Threading.CancellationTokenSource", &[new(&[]), new(&[(INT, Number(0))])]),
    some(
        TASK,
        &[
            get("", "get_CompletedTask"),
            Way { of: "", member: "FromException", generic: &[], given: &[("System.Exception", Any)] },
        ],
    ),
    some(
        "System.Threading.Tasks.Task`1",
        &[Way { of: TASK, member: "FromResult", generic: &["!0"], given: &[("!0", Any)] }],
    ),
    some("System.Exception", &[new(&[(STRING, Any)])]),
    some("System.Lazy`1", &[new(&[("!0", Any)])]),
    some("System.WeakReference", &[new(&[("System.Object", Any)])]),
    some("System.WeakReference`1", &[new(&[("!0", Any)])]),
    some("System.IO.Stream", &[new_of(MEMORY_STREAM, &[(BYTES, Any)])]),
    some(MEMORY_STREAM, &[new(&[(BYTES, Any)]), new(&[])]),
    some("System.IO.BinaryReader", &[new(&[("System.IO.Stream", Any)])]),
    some("System.IO.BinaryWriter", &[new(&[("System.IO.Stream <- System.IO.MemoryStream", Any)])]),
    some("System.IO.TextReader", &[new_of("System.IO.StringReader", &[(STRING, Any)])]),
    some("System.IO.StringReader", &[new(&[(STRING, Any)])]),
    some("System.IO.StreamReader", &[new(&[("System.IO.Stream", Any)])]),
    some("System.IO.TextWriter", &[new_of("System.IO.StringWriter", &[])]),
    some("System.IO.StringWriter", &[new(&[])]),
    some("System.Text.Encoding", &[get("", "get_UTF8"), get("", "get_ASCII")]),
    some("System.Text.RegularExpressions.Regex", &[new(&[(STRING, Text("[a-c]+"))])]),
    some(
        TYPE,
        &[
            type_of(INT),
            type_of(STRING),
            type_of("System.Object"),
            type_of("System.Collections.Generic.List`1"),
            type_of("System.DayOfWeek"),
            type_of("System.Int32[]"),
            type_of("System.IDisposable"),
            type_of("System.IO.Stream"),
            type_of("System.Nullable`1[System.Int32]"),
            type_of("System.Collections.Generic.List`1[System.String]"),
        ],
    ),
    some("System.Reflection.PropertyInfo", &[LENGTH, CAPACITY, HELP]),
    some("System.Reflection.FieldInfo", &[EMPTY]),
    some("System.Reflection.MemberInfo", &[LENGTH, CAPACITY, EMPTY, type_of(INT)]),
    some("System.StringComparer", &[get("", "get_Ordinal"), get("", "get_OrdinalIgnoreCase")]),
    some(
        "System.Collections.Generic.IEqualityComparer`1",
        &[get("System.Collections.Generic.EqualityComparer`1[!0]", "get_Default")],
    ),
    some(
        "System.Collections.Generic.IComparer`1",
        &[get("System.Collections.Generic.Comparer`1[!0]", "get_Default")],
    ),
    some("System.Collections.Generic.EqualityComparer`1", &[get("", "get_Default")]),
    some("System.Collections.Generic.Comparer`1", &[get("", "get_Default")]),
    some("System.TimeZoneInfo", &[get("", "get_Utc")]),
    some(
        "System.Collections.ObjectModel.ReadOnlyCollection`1",
        &[new(&[("System.Collections.Generic.IList`1[!0]", Any)])],
    ),
    some(
        "System.Collections.ObjectModel.Collection`1",
        &[new(&[("System.Collections.Generic.IList`1[!0] <- System.Collections.Generic.List`1[!0]", Any)])],
    ),
    some(
        "System.Collections.ObjectModel.ObservableCollection`1",
        &[new(&[("System.Collections.Generic.List`1[!0]", Any)])],
    ),
    some("System.Collections.BitArray", &[new(&[("System.Boolean[]", Any)])]),
    some(
        "System.Collections.Hashtable",
        &[
            new(&[]),
            new(&[(
                "System.Collections.IDictionary <- System.Collections.Generic.Dictionary`2[System.String,System.Object]",
                Any,
            )]),
        ],
    ),
    some(
        "System.Collections.ArrayList",
        &[new(&[("System.Collections.ICollection <- System.Object[]", Any)])],
    ),
    some("System.Collections.Concurrent.ConcurrentDictionary`2", &[new(&[(PAIRS, Any)]), new(&[])]),
    some("System.Collections.Concurrent.ConcurrentQueue`1", &[new(&[(ITEMS, Any)])]),
    some("System.Collections.Concurrent.ConcurrentStack`1", &[new(&[(ITEMS, Any)])]),
    some("System.Collections.Concurrent.ConcurrentBag`1", &[new(&[(ITEMS, Any)])]),
    some(
        "System.Collections.Immutable.ImmutableList`1",
        &[Way {
            of: "System.Collections.Immutable.ImmutableList",
            member: "CreateRange",
            generic: &["!0"],
            given: &[(ITEMS, Any)],
        }],
    ),
    some(
        "System.Collections.Immutable.ImmutableDictionary`2",
        &[Way {
            of: "System.Collections.Immutable.ImmutableDictionary",
            member: "CreateRange",
            generic: &["!0", "!1"],
            given: &[(PAIRS, Any)],
        }],
    ),
    whole("System.Tuple`1", &[new(&[("!0", Any)])]),
    whole("System.Tuple`2", &[new(&[("!0", Any), ("!1", Any)])]),
    whole("System.Tuple`3", &[new(&[("!0", Any), ("!1", Any), ("!2", Any)])]),
    whole("System.Tuple`4", &[new(&[("!0", Any), ("!1", Any), ("!2", Any), ("!3", Any)])]),
];

/// Constructors that are tried for a class that is not in the table, and their parameters.
const MAX_WAYS: usize = 2;
const MAX_PARAMETERS: usize = 4;

impl Machine {
    /// Whether objects of the type are made by running its own code.
    pub fn is_made(&self, ty: TypeId) -> bool {
        self.plans(ty).is_ok_and(|plans| !plans.is_empty())
    }

    /// Whether every object of the type can be made.
    pub(crate) fn is_made_whole(&self, ty: TypeId) -> bool {
        self.recipe(ty).is_some_and(|recipe| recipe.whole)
    }

    pub fn plans(&self, ty: TypeId) -> Result<Rc<[Plan]>, Gap> {
        if let Some(plans) = self.classes.plans.borrow().get(&ty) {
            return Ok(Rc::clone(plans));
        }
        let plans: Rc<[Plan]> = self.find_plans(ty)?.into();
        self.classes.plans.borrow_mut().insert(ty, Rc::clone(&plans));
        Ok(plans)
    }

    fn recipe(&self, ty: TypeId) -> Option<&'static Recipe> {
        let name = self.definition_name(ty);
        TABLE.iter().find(|recipe| recipe.ty == name)
    }

    fn find_plans(&self, ty: TypeId) -> Result<Vec<Plan>, Gap> {
        let universe = &self.universe;
        let is_class = matches!(universe.ty(ty), Type::Def { .. })
            && !universe.is_value_type(ty)
            && !universe.is_delegate(ty)
            && !universe.is_open(ty);
        let known = universe.well_known()?;
        if !is_class || !self.is_framework(ty) || ty == known.string || ty == known.object {
            return Ok(Vec::new());
        }
        if self.is_list(ty) || self.is_filled(ty) {
            return Ok(Vec::new());
        }
        let Some(recipe) = self.recipe(ty) else { return self.plain_constructors(ty) };
        let mut plans = Vec::new();
        for way in recipe.ways {
            plans.extend(self.plan(ty, way)?);
        }
        Ok(plans)
    }

    /// What a line of the table means for a class; `None` where this runtime has no such member.
    fn plan(&self, ty: TypeId, way: &Way) -> Result<Option<Plan>, Gap> {
        let universe = &self.universe;
        let arguments = universe.type_args(ty);
        let owner = if way.of.is_empty() { Some(ty) } else { self.written_type(ty, way.of, arguments)? };
        let Some(owner) = owner else { return Ok(None) };
        if way.member == "typeof" {
            return Ok(Some(Plan::TypeOf(owner)));
        }
        let (mut parameters, mut given) = (Vec::new(), Vec::new());
        for (written, what) in way.given {
            let (parameter, value) = written.split_once(" <- ").unwrap_or((written, written));
            let types =
                (self.written_type(ty, parameter, arguments)?, self.written_type(ty, value, arguments)?);
            let (Some(parameter), Some(value)) = types else { return Ok(None) };
            parameters.push(parameter);
            given.push((value, *what));
        }
        let mut generic = Vec::new();
        for written in way.generic {
            let Some(argument) = self.written_type(ty, written, arguments)? else { return Ok(None) };
            generic.push(argument);
        }
        for method in universe.methods_named(owner, way.member)? {
            let method = match generic.len() {
                count if count != universe.signature(method)?.generic_arity as usize => continue,
                0 => method,
                _ => universe.instantiate_method(method, owner, &generic)?,
            };
            if *universe.signature(method)?.params == *parameters {
                return Ok(Some(Plan::Call { method, given }));
            }
        }
        Ok(None)
    }

    /// A type of the framework by how it is written in the table.
    pub(super) fn written_type(
        &self,
        near: TypeId,
        text: &str,
        arguments: &[TypeId],
    ) -> Result<Option<TypeId>, Gap> {
        let universe = &self.universe;
        if let Some(element) = text.strip_suffix("[]") {
            let element = self.written_type(near, element, arguments)?;
            return Ok(element.map(|element| universe.make_sz_array(element)).transpose()?);
        }
        if let Some(number) = text.strip_prefix('!') {
            return Ok(number.parse().ok().and_then(|n: usize| arguments.get(n).copied()));
        }
        let (name, inside) = match text.split_once('[') {
            Some((name, inside)) => (name, inside.strip_suffix(']').unwrap_or(inside)),
            None => (text, ""),
        };
        let Some(definition) = self.framework_type_near(near, name)? else { return Ok(None) };
        if inside.is_empty() {
            return Ok(Some(definition));
        }
        let mut parts = Vec::new();
        for part in top_level(inside) {
            let Some(part) = self.written_type(near, part, arguments)? else { return Ok(None) };
            parts.push(part);
        }
        Ok(Some(universe.make_instance(definition, &parts)?))
    }

    fn framework_type_near(&self, near: TypeId, name: &str) -> Result<Option<TypeId>, Gap> {
        let universe = &self.universe;
        if let Type::Def { assembly, .. } = universe.ty(near)
            && let Some(found) = universe.find_type(*assembly, name)?
        {
            return Ok(Some(found));
        }
        self.framework_type(name)
    }

    /// The shortest public constructors that take nothing but plain values.
    fn plain_constructors(&self, ty: TypeId) -> Result<Vec<Plan>, Gap> {
        let universe = &self.universe;
        if universe.is_abstract(ty) || universe.is_interface(ty) || !universe.is_visible(ty) {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for method in universe.methods_named(ty, ".ctor")? {
            let parameters = &universe.signature(method)?.params;
            if !universe.method(method).is_public() || parameters.len() > MAX_PARAMETERS {
                continue;
            }
            let mut plain = true;
            for &parameter in parameters.iter() {
                plain = plain && self.is_plain(parameter)?;
            }
            if plain {
                found.push((method, parameters.iter().map(|parameter| (*parameter, Any)).collect()));
            }
        }
        found.sort_by_key(|(_, given): &(MethodId, Vec<(TypeId, Given)>)| given.len());
        found.truncate(MAX_WAYS);
        Ok(found.into_iter().map(|(method, given)| Plan::Call { method, given }).collect())
    }

    fn is_plain(&self, ty: TypeId) -> Result<bool, Gap> {
        let universe = &self.universe;
        Ok(match universe.ty(ty) {
            Type::SzArray(element) => universe.primitive(*element).is_some(),
            Type::Def { .. } => {
                let number = universe.enum_underlying(ty)?.unwrap_or(ty);
                universe.primitive(number).is_some()
                    || ty == universe.well_known()?.string
                    || self.recipe(ty).is_some()
            }
            _ => false,
        })
    }
}

/// `A,B[C,D]` → `A`, `B[C,D]`.
fn top_level(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    text.split(move |c: char| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        c == ',' && depth == 0
    })
}
