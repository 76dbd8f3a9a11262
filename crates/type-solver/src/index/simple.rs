//! Types of the framework that everyone knows: they come before the rest of it.

use super::Key;
use super::read::top_level;

const SIMPLE: &[(&str, &str)] = &[
    ("System", "String"),
    ("System", "Int32"),
    ("System", "Object"),
    ("System", "Boolean"),
    ("System", "Double"),
    ("System", "Int64"),
    ("System", "Char"),
    ("System", "Byte"),
    ("System", "Decimal"),
    ("System.Collections.Generic", "List`1"),
    ("System.Collections.Generic", "Dictionary`2"),
    ("System.Collections.Generic", "HashSet`1"),
    ("System.Collections.Generic", "Queue`1"),
    ("System.Collections.Generic", "Stack`1"),
    ("System.Collections.Generic", "LinkedList`1"),
    ("System.Collections.Generic", "SortedDictionary`2"),
    ("System.Collections.Generic", "SortedSet`1"),
    ("System.Collections.Generic", "KeyValuePair`2"),
    ("System.Collections.ObjectModel", "Collection`1"),
    ("System.Collections.ObjectModel", "ReadOnlyCollection`1"),
    ("System.Collections.ObjectModel", "ObservableCollection`1"),
    ("System", "Tuple`2"),
    ("System", "ValueTuple`2"),
    ("System", "DateTime"),
    ("System", "TimeSpan"),
    ("System", "Guid"),
    ("System", "Exception"),
    ("System", "ArgumentException"),
    ("System", "InvalidOperationException"),
    ("System.Text", "StringBuilder"),
    ("System.IO", "MemoryStream"),
    ("System.IO", "StringReader"),
    ("System.IO", "StringWriter"),
    ("System", "Version"),
    ("System", "Uri"),
    ("System.Globalization", "CultureInfo"),
    ("System.Collections", "ArrayList"),
    ("System.Collections", "Hashtable"),
    ("System", "Single"),
    ("System", "Int16"),
    ("System", "UInt32"),
    ("System", "UInt64"),
    ("System", "UInt16"),
    ("System", "SByte"),
    ("System", "DayOfWeek"),
    ("System", "EventArgs"),
    ("System", "Func`1"),
    ("System", "Func`2"),
    ("System", "Action"),
    ("System", "Action`1"),
];

/// The place of a type in the order of simple types, by its name.
pub(super) struct Simple(Vec<Key>);

impl Simple {
    pub fn new() -> Simple {
        Simple(SIMPLE.iter().map(|(namespace, name)| top_level(namespace, name)).collect())
    }

    pub fn place(&self, key: Key) -> Option<u16> {
        self.0.iter().position(|known| *known == key).map(|place| place as u16)
    }
}
