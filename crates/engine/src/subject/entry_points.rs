//! Which methods are explored in their own right, and which others are covered through them.
//!
//! A test can call what it sees; the rest of an assembly runs because somebody calls it. So the branches of private code are
//! goals of the methods that lead there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use report::{Excluded, ZoneKind};
use store::Key;

use crate::error::Error;
use crate::subject::access::Access;
use crate::subject::exclusion::without_excluded;
use crate::subject::select::{Selection, fits, is_type, select};
use crate::subject::target::Target;

/// Which methods are asked for, and how much of the rest is counted.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub selection: Selection,
    /// By default what is named decides: a method, its type, or all.
    pub zone: Option<ZoneKind>,
    /// Only one part of several of the methods.
    pub shard: Option<Shard>,
    /// Only those with these ids.
    pub only: Option<Arc<BTreeSet<String>>>,
    /// What is left out: names of namespaces, types and methods, or paths of source files, with `*` and `?`.
    pub exclude: Vec<String>,
}

/// One of several parts of the methods of a run. A method's name alone decides in which it is, so an edit moves no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 on.
    pub number: u32,
    pub count: u32,
}

impl Shard {
    pub fn has(self, id: &str) -> bool {
        let start =
            Key::of(id.as_bytes()).as_bytes().iter().take(8).fold(0, |n, byte| n << 8 | u64::from(*byte));
        start % u64::from(self.count.max(1)) + 1 == u64::from(self.number)
    }
}

impl Request {
    pub fn zone(&self) -> ZoneKind {
        let Selection { types, methods, namespaces } = &self.selection;
        self.zone.unwrap_or(match (methods.is_empty(), types.is_empty() && namespaces.is_empty()) {
            (false, _) => ZoneKind::Method,
            (true, false) => ZoneKind::Type,
            (true, true) => ZoneKind::Assembly,
        })
    }
}

/// What a request comes to.
#[derive(Clone, Debug, Default)]
pub struct Selected {
    /// The methods to explore, in their order.
    pub entries: Vec<Target>,
    /// Methods that no test calls by itself, to be covered through the others.
    pub hidden: Vec<Target>,
    /// How many methods that fit are left out, and why.
    pub excluded: Vec<Excluded>,
}

/// Chooses among the methods of an assembly. Those that a test cannot call (whose access is below `least`) are explored only
/// if they, or their type, are named.
pub fn entry_points(
    targets: Vec<Target>,
    request: &Request,
    least: Access,
    assembly: &str,
) -> Result<Selected, Error> {
    let selection = &request.selection;
    // A name that is not there is said before anything is left out.
    select(targets.clone(), selection, assembly)?;
    let (targets, excluded) = without_excluded(targets, request);
    if targets.is_empty() {
        return Err(Error::EverythingExcluded { assembly: assembly.to_owned() });
    }
    let fitting: BTreeSet<u32> =
        targets.iter().filter(|target| fits(target, selection)).map(|target| target.token).collect();
    let is_entry = |target: &Target| fitting.contains(&target.token) && is_called(target, selection, least);
    let (mut entries, rest): (Vec<Target>, Vec<Target>) = targets.into_iter().partition(is_entry);
    if entries.is_empty() && !excluded.is_empty() {
        return Err(Error::EverythingExcluded { assembly: assembly.to_owned() });
    }
    if entries.is_empty() {
        return Err(Error::NothingCallable { assembly: assembly.to_owned() });
    }
    let hidden = rest.into_iter().filter(|target| target.access < least);
    let hidden = inside(&mut entries, hidden.collect(), request.zone());
    if let Some(shard) = request.shard {
        entries.retain(|entry| shard.has(&entry.id));
    }
    if let Some(only) = &request.only {
        entries.retain(|entry| only.contains(&entry.id));
    }
    Ok(Selected { entries, hidden, excluded })
}

/// Whether a test can call it, or somebody names it.
fn is_called(target: &Target, selection: &Selection, least: Access) -> bool {
    // Whoever names a type that is not public means its members as if it were.
    let is_type_named = || selection.types.iter().any(|name| is_type(target, name));
    target.access >= least
        || !selection.methods.is_empty()
        || target.own_access > Access::Private && is_type_named()
}

/// The hidden methods of the zone; entry points are told which of them they lead to.
fn inside(entries: &mut [Target], hidden: Vec<Target>, zone: ZoneKind) -> Vec<Target> {
    let bodies = |hidden: &mut dyn Iterator<Item = &Target>| -> Arc<BTreeSet<u32>> {
        Arc::new(hidden.flat_map(|target| target.bodies.iter().map(|body| body.token)).collect())
    };
    match zone {
        ZoneKind::Method => Vec::new(),
        ZoneKind::Assembly => {
            let all = bodies(&mut hidden.iter());
            entries.iter_mut().for_each(|entry| entry.inner = Arc::clone(&all));
            hidden
        }
        ZoneKind::Type => {
            let is_in = |target: &Target, ty: &str| {
                let rest = target.type_name.strip_prefix(ty);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('+'))
            };
            let mut by_type: BTreeMap<String, Arc<BTreeSet<u32>>> = BTreeMap::new();
            for entry in entries.iter_mut() {
                let ty = entry.type_name.clone();
                let own = || bodies(&mut hidden.iter().filter(|target| is_in(target, &ty)));
                entry.inner = Arc::clone(by_type.entry(ty.clone()).or_insert_with(own));
            }
            let mut hidden = hidden;
            hidden.retain(|target| by_type.keys().any(|ty| is_in(target, ty)));
            hidden
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::target::{Body, Goals};

    const METHODS: u32 = 0x0600_0000;

    fn method(token: u32, type_name: &str, name: &str, access: Access, own_access: Access) -> Target {
        Target {
            token: METHODS + token,
            id: format!("{type_name}::{name}()"),
            namespace: "Shop".to_owned(),
            type_name: type_name.to_owned(),
            name: name.to_owned(),
            source: None,
            access,
            own_access,
            mark: None,
            inner: Arc::default(),
            bodies: vec![Body { token: METHODS + token, goals: Goals::default() }],
        }
    }

    /// A class with a private method and a private class inside, another class, and an internal one.
    fn shop() -> Vec<Target> {
        use Access::{Internal, Private, Public};
        vec![
            method(1, "Shop.Cart", "Add", Public, Public),
            method(2, "Shop.Order", "Pay", Public, Public),
            method(3, "Shop.Cart", "Check", Private, Private),
            method(4, "Shop.Ledger", "Post", Internal, Public),
            method(5, "Shop.Ledger", "Sum", Private, Private),
            method(6, "Shop.Cart+Row", "Key", Private, Public),
        ]
    }

    fn chosen(selection: Selection, zone: Option<ZoneKind>, least: Access) -> (Vec<u32>, Vec<u32>) {
        let selected =
            entry_points(shop(), &Request { selection, zone, ..Request::default() }, least, "Shop.dll")
                .unwrap();
        let tokens = |targets: &[Target]| targets.iter().map(|t| t.token - METHODS).collect();
        (tokens(&selected.entries), tokens(&selected.hidden))
    }

    #[test]
    fn entry_points_are_what_a_test_can_call() {
        let all = Selection::default;
        assert_eq!(chosen(all(), None, Access::Public), (vec![1, 2], vec![3, 4, 5, 6]));
        assert_eq!(chosen(all(), None, Access::Internal), (vec![1, 2, 4], vec![3, 5, 6]));
        assert_eq!(chosen(all(), None, Access::Private), ((1..=6).collect(), vec![]));
        assert_eq!(chosen(all(), Some(ZoneKind::Method), Access::Public), (vec![1, 2], vec![]));
        assert_eq!(chosen(all(), Some(ZoneKind::Type), Access::Public), (vec![1, 2], vec![3, 6]));
    }

    #[test]
    fn what_is_named_is_explored_whoever_can_call_it() {
        let method = |name: &str| Selection { methods: vec![name.to_owned()], ..Selection::default() };
        assert_eq!(chosen(method("Cart.Check"), None, Access::Public), (vec![3], vec![]));
        let ty = |name: &str| Selection { types: vec![name.to_owned()], ..Selection::default() };
        assert_eq!(chosen(ty("Ledger"), None, Access::Public), (vec![4], vec![5]));
        assert_eq!(chosen(ty("Cart"), None, Access::Public), (vec![1], vec![3, 6]));
    }

    #[test]
    fn nothing_to_call_is_said() {
        let hidden = vec![method(1, "Shop.Ledger", "Sum", Access::Private, Access::Private)];
        let error = entry_points(hidden, &Request::default(), Access::Public, "Shop.dll").unwrap_err();
        assert!(error.to_string().contains("--private"), "{error}");
    }

    #[test]
    fn entry_points_know_what_is_covered_through_them() {
        let inner = |target: &Target| target.inner.iter().map(|t| t - METHODS).collect::<Vec<_>>();
        let through = |zone| {
            let request = Request { zone: Some(zone), ..Request::default() };
            let selected = entry_points(shop(), &request, Access::Public, "Shop.dll").unwrap();
            selected.entries.iter().map(inner).collect::<Vec<_>>()
        };
        assert_eq!(through(ZoneKind::Assembly), [[3, 4, 5, 6], [3, 4, 5, 6]]);
        assert_eq!(through(ZoneKind::Type), [vec![3, 6], vec![]]);
    }
}
