//! A case together with the ways in which its objects may be made. Which way does it is tried on the real runtime, so
//! what is replayed is what is shipped.

use std::collections::{BTreeMap, BTreeSet};

use crate::construct::broken;
use crate::construct::candidates::Search;
use crate::fold::fold_collections;
use crate::graph::Graph;
use crate::type_facts::TypeFacts;
use crate::{Case, Construction, Object, ObjectId, ObjectKind, Sequenced};

/// The best way of an object comes first; when none of them does it, the object is made by reflection.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Its objects include those that only some way needs.
    pub case: Case,
    pub ways: BTreeMap<ObjectId, Vec<Construction>>,
    /// The objects that the case had before.
    own: BTreeSet<ObjectId>,
    breaks: BTreeMap<ObjectId, Vec<String>>,
}

impl Offer {
    /// The case as it is.
    pub fn none(case: Case) -> Offer {
        let own = case.objects.iter().map(|object| object.id).collect();
        Offer { case, ways: BTreeMap::new(), own, breaks: BTreeMap::new() }
    }

    /// All ways that public members might offer.
    pub fn of(mut case: Case, surroundings: &dyn TypeFacts) -> Offer {
        fold_collections(&mut case, surroundings);
        let mut offer = Offer::none(case);
        offer.breaks = broken::rules(&offer.case, surroundings);
        let mut search = Search::new(&offer.case, surroundings);
        for object in &offer.case.objects {
            let ways = match &object.kind {
                ObjectKind::Object(instance) if instance.construction.is_none() => {
                    search.ways(object.id, instance, 0)
                }
                ObjectKind::Mock(mock) if mock.construction.is_none() => {
                    let ways = search.mock_ways(object.id, mock, 0);
                    if ways.is_empty() {
                        // Interfaces and delegates have no constructor.
                        continue;
                    }
                    ways
                }
                _ => continue,
            };
            offer.ways.insert(object.id, ways.into_iter().map(|way| way.construction).collect());
        }
        let (objects, ways) = search.made();
        offer.case.objects.extend(objects);
        offer.ways.extend(ways);
        offer
    }

    /// A case whose objects sequences of calls are likely to make: these come first.
    pub fn of_sequenced(sequenced: Sequenced, surroundings: &dyn TypeFacts) -> Offer {
        let Sequenced { mut case, ways, objects } = sequenced;
        let added: BTreeSet<ObjectId> = objects.iter().map(|object| object.id).collect();
        case.objects.extend(objects);
        let mut offer = Offer::of(case, surroundings);
        offer.own.retain(|id| !added.contains(id));
        for (id, way) in ways {
            offer.ways.entry(id).or_default().insert(0, way);
        }
        offer
    }

    /// The case with the ways that were taken, by their index.
    pub fn settle(self, chosen: &[(ObjectId, usize)]) -> Case {
        let Offer { mut case, ways, own, breaks } = self;
        for object in &mut case.objects {
            let id = object.id;
            let Some(construction) = construction(object) else { continue };
            let way = chosen.iter().find(|(chosen, _)| *chosen == id).map(|(_, way)| *way);
            let way = way.and_then(|way| ways.get(&id)?.get(way));
            if ways.contains_key(&id) {
                *construction = way.cloned();
            }
        }
        let used = Graph::of(&case).reachable();
        case.objects.retain(|object| own.contains(&object.id) || used.contains(&object.id));
        let broken = case.made_by_reflection().into_iter().filter_map(|id| breaks.get(&id)).flatten();
        case.breaks = broken.cloned().collect();
        case.breaks.sort();
        case.breaks.dedup();
        case
    }
}

/// Takes ways that are sure to do it, without trying. Objects for which there is none stay as they are.
pub fn plan_objects(case: &mut Case, surroundings: &dyn TypeFacts) {
    fold_collections(case, surroundings);
    let ids: Vec<ObjectId> = case.objects.iter().map(|object| object.id).collect();
    for id in ids {
        let mut search = Search::new(case, surroundings);
        let ways = match case.object(id).map(|object| &object.kind) {
            Some(ObjectKind::Object(instance)) if instance.construction.is_none() => {
                search.ways(id, instance, 0)
            }
            Some(ObjectKind::Mock(mock)) if mock.construction.is_none() => search.mock_ways(id, mock, 0),
            _ => continue,
        };
        let sure = ways.into_iter().filter(|way| way.sure).find(|way| {
            let mut planned = case.clone();
            set(&mut planned, id, way.construction.clone());
            // A constructor cannot take what is not there yet.
            !Graph::of_constructors(&planned).in_cycle(id)
        });
        if let Some(way) = sure {
            set(case, id, way.construction);
        }
    }
}

fn set(case: &mut Case, id: ObjectId, way: Construction) {
    let object = case.objects.iter_mut().find(|object| object.id == id);
    if let Some(construction) = object.and_then(construction) {
        *construction = Some(way);
    }
}

/// How an object is made, if constructors make such ones.
fn construction(object: &mut Object) -> Option<&mut Option<Construction>> {
    match &mut object.kind {
        ObjectKind::Object(instance) => Some(&mut instance.construction),
        ObjectKind::Mock(mock) => Some(&mut mock.construction),
        _ => None,
    }
}
