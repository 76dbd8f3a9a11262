//! The public members by which objects of a class are made and changed.

use std::collections::BTreeSet;
use std::rc::Rc;

use types::{MethodId, Primitive, Type, TypeId, Universe};

use super::members::Members;

/// Static members and methods of other objects that are tried for a class.
const MAX_STATIC: usize = 8;
const MAX_GIVERS: usize = 6;
/// Methods that are tried on an object.
const MAX_CHANGERS: usize = 12;

/// Methods that everybody expects to change nothing.
const QUESTIONS: [&str; 5] = ["Equals", "GetHashCode", "ToString", "CompareTo", "GetEnumerator"];

/// How a call gives the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    /// A constructor or a static member makes it.
    New,
    /// A method of another object gives it.
    Other,
    /// It is the object that the method was called on.
    Itself,
    /// It is what a method of the object before returns.
    Next,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub method: MethodId,
    pub gives: Gives,
}

/// Members that give an object of a class, the plainest first.
pub(super) fn creators(universe: &Universe, members: &mut Members, class: TypeId) -> Vec<Member> {
    let mut found = Vec::new();
    if !universe.is_abstract(class) {
        let constructors = universe.methods_named(class, ".ctor").unwrap_or_default();
        found.extend(constructors.into_iter().filter(|m| is_callable(universe, *m)));
        found.sort_by_key(|m| universe.signature(*m).map_or(0, |sig| sig.params.len()));
    }
    let mut creators: Vec<Member> =
        found.into_iter().map(|method| Member { method, gives: Gives::New }).collect();
    let Some(home) = universe.def_info(class).map(|info| info.assembly) else { return creators };
    let (mut statics, mut givers) = (Vec::new(), Vec::new());
    let everywhere = members.callable(universe, home);
    for (ty, method) in everywhere.iter().copied().chain(callable(universe, class)) {
        if !gives(universe, method, class) {
            continue;
        }
        if universe.method(method).is_static() {
            statics.push(method);
        } else if ty != class && !universe.is_value_type(ty) && !universe.is_delegate(ty) {
            givers.push(method);
        }
    }
    let length = |m: &MethodId| universe.signature(*m).map_or(0, |sig| sig.params.len());
    for (mut methods, gives, most) in [(statics, Gives::New, MAX_STATIC), (givers, Gives::Other, MAX_GIVERS)]
    {
        methods.sort_by_key(length);
        methods.dedup();
        methods.truncate(most);
        creators.extend(methods.into_iter().map(|method| Member { method, gives }));
    }
    creators
}

/// The methods of a type that a test can call, but for constructors.
pub(super) fn callable(universe: &Universe, ty: TypeId) -> impl Iterator<Item = (TypeId, MethodId)> + '_ {
    let is_usable = universe.is_visible(ty) && !universe.is_open(ty) && !universe.is_interface(ty);
    let methods = if is_usable { universe.methods(ty).unwrap_or_default() } else { &[] };
    let methods = methods.iter().copied();
    let is_wanted = |m: &MethodId| !universe.method(*m).is_constructor() && is_callable(universe, *m);
    methods.filter(is_wanted).map(move |method| (ty, method))
}

/// Members that may change the wanted fields of an object, or what they depend on.
pub(super) fn changers(
    universe: &Universe,
    members: &mut Members,
    class: TypeId,
    wanted: &BTreeSet<Rc<str>>,
) -> Vec<Member> {
    let all = members.changing(universe, class);
    let mut found: Vec<(usize, usize, MethodId)> = Vec::new();
    let mut ring: BTreeSet<Rc<str>> = wanted.clone();
    // What changes a wanted field may want others first: an account must be open before money is paid in.
    for round in 0..2 {
        let mut needed = BTreeSet::new();
        for &method in all.iter() {
            let touched = members.touched(universe, method);
            if found.iter().any(|(.., known)| *known == method) || touched.changed.is_disjoint(&ring) {
                continue;
            }
            let length = universe.signature(method).map_or(0, |sig| sig.params.len());
            found.push((round, length, method));
            needed.extend(touched.read.iter().cloned());
        }
        ring = needed;
    }
    found.sort();
    found.truncate(MAX_CHANGERS);
    let gives = |method| if gives(universe, method, class) { Gives::Next } else { Gives::Itself };
    found.into_iter().map(|(.., method)| Member { method, gives: gives(method) }).collect()
}

/// Methods that can be called on an object of a class and may change it.
pub(super) fn changing(universe: &Universe, class: TypeId) -> Vec<MethodId> {
    let mut all = Vec::new();
    let mut next = Some(class);
    while let Some(ty) = next {
        let is_framework = universe.def_info(ty).is_none_or(|info| universe.is_framework(info.assembly));
        if is_framework {
            break;
        }
        for &method in universe.methods(ty).unwrap_or_default() {
            let info = universe.method(method);
            // A handler that is gone is as good as one that never was.
            let is_removal = info.is_special_name() && info.name.starts_with("remove_");
            let is_overridden = info.is_virtual()
                && universe.resolve_virtual(class, method).is_ok_and(|target| target != method);
            let is_question =
                QUESTIONS.contains(&&*info.name) || info.is_special_name() && info.name.starts_with("get_");
            if info.is_static()
                || info.is_constructor()
                || is_question
                || is_removal
                || is_overridden
                || !is_callable(universe, method)
            {
                continue;
            }
            all.push(method);
        }
        next = universe.base(ty).ok().flatten();
    }
    all
}

/// Whether a test in another assembly can call it with plain arguments.
fn is_callable(universe: &Universe, method: MethodId) -> bool {
    let info = universe.method(method);
    let Ok(signature) = universe.signature(method) else { return false };
    let is_nameable = info.is_constructor() || info.name.chars().all(|c| c.is_alphanumeric() || c == '_');
    info.is_public()
        && is_nameable
        && signature.generic_arity == 0
        && signature.params.iter().all(|ty| {
            let is_plain = !matches!(universe.ty(*ty), Type::ByRef(_) | Type::Pointer(_) | Type::FnPtr(_));
            is_plain && !universe.is_byref_like(*ty) && !universe.is_open(*ty)
        })
}

/// Whether what the method returns may be an object of the class.
fn gives(universe: &Universe, method: MethodId, class: TypeId) -> bool {
    let Ok(signature) = universe.signature(method) else { return false };
    let returned = signature.ret;
    if universe.primitive(returned) == Some(Primitive::Void) {
        return false;
    }
    let is_own = universe.def_info(returned).is_some_and(|info| !universe.is_framework(info.assembly));
    returned == class || is_own && universe.is_assignable(class, returned).unwrap_or(false)
}

/// `init` instead of `set`: a required modifier on the return type says so.
pub(super) fn is_init(universe: &Universe, method: MethodId) -> bool {
    let Ok(signature) = universe.signature(method) else { return false };
    signature.modifiers.iter().any(|modifier| {
        modifier.is_required
            && modifier.path.first() == Some(&0)
            && universe.type_name(modifier.ty) == "System.Runtime.CompilerServices.IsExternalInit"
    })
}
