//! The collections of the framework that a case knows by what is in them.

/// What C# calls to add an item, by the definition of the collection.
const KNOWN: [(&str, &str); 9] = [
    ("List`1", "Add"),
    ("HashSet`1", "Add"),
    ("SortedSet`1", "Add"),
    ("LinkedList`1", "AddLast"),
    ("Queue`1", "Enqueue"),
    ("Stack`1", "Push"),
    ("Dictionary`2", "Add"),
    ("SortedDictionary`2", "Add"),
    ("SortedList`2", "Add"),
];

/// `System.Collections.Generic.Queue`1` → `Enqueue`.
pub fn adding(definition: &str) -> Option<&'static str> {
    let short = definition.strip_prefix("System.Collections.Generic.")?;
    KNOWN.iter().find(|(name, _)| *name == short).map(|(_, adding)| *adding)
}

pub fn is_collection(definition: &str) -> bool {
    adding(definition).is_some()
}
