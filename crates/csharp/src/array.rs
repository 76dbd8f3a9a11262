//! Arrays and collections as expressions, compact where most of their elements are alike.

use std::collections::BTreeMap;

use crate::literal::Wanted;
use crate::object::HOLE;
use crate::test::{TestWriter, Written};
use case::collections::adding;
use case::construct::is_default;
use case::type_name::TypeName;
use case::{Array, Collection, Item, ObjectId, Primitive, Value};

/// Arrays of more elements are written as assignments of those that are not default.
const MAX_LISTED: usize = 64;
/// So many neighbours of one value are filled in by one statement.
const LEAST_RUN: usize = 5;

impl TestWriter<'_> {
    pub(super) fn array(&mut self, id: ObjectId, array: &Array, hint: &str) -> Written<String> {
        let Some(ty) = self.public_name(&array.ty) else { return self.array_by_class(id, array, hint) };
        if array.lower_bounds.iter().any(|bound| *bound != 0) {
            return self.array_by_class(id, array, hint);
        }
        let kept: Vec<_> = array.elements.iter().filter(|element| !is_default(&element.value)).collect();
        let total = array.lengths.iter().try_fold(1usize, |n, length| n.checked_mul(*length as usize));
        let cyclic = self.graph.in_cycle(id);
        let listed = total.is_some_and(|n| n <= 8 || (n <= MAX_LISTED && kept.len() * 3 >= n));
        if listed && !cyclic && !kept.is_empty() {
            self.pending.push(id);
            let text = self.listed(array, &ty, hint)?;
            self.pending.pop();
            let placed = self.placed(id, &text, hint, false);
            self.flush()?;
            return Ok(placed);
        }
        let created = created(&ty, &array.lengths)?;
        if kept.is_empty() {
            return Ok(self.placed(id, &created, hint, false));
        }
        let local = self.declare(id, "var", &created, hint);
        let element = element_type(&array.ty);
        let mut rest = &kept[..];
        while let [first, ..] = rest {
            let run = run_length(rest);
            let at: Vec<String> = first.at.iter().map(i32::to_string).collect();
            if run >= LEAST_RUN && array.lengths.len() == 1 {
                let class = self.scope.known("System.Array");
                let statement = format!("{class}.Fill({local}, {HOLE}, {}, {run});", at.join(", "));
                self.put(&statement, &first.value, element, Wanted::Exact, hint)?;
                rest = rest.get(run..).unwrap_or_default();
                continue;
            }
            let statement = format!("{local}[{}] = {HOLE};", at.join(", "));
            self.put(&statement, &first.value, element, Wanted::Converted, hint)?;
            rest = rest.get(1..).unwrap_or_default();
        }
        self.flush()?;
        Ok(local)
    }

    /// `new[] { 1, 2 }`, `new int[,] { { 1, 2 }, { 3, 4 } }`
    fn listed(&mut self, array: &Array, ty: &str, hint: &str) -> Written<String> {
        let elements: BTreeMap<&[i32], &Value> =
            array.elements.iter().map(|element| (element.at.as_slice(), &element.value)).collect();
        let items = self.items(&array.lengths, &mut Vec::new(), &elements, element_type(&array.ty), hint)?;
        let inferred = array.lengths.len() == 1 && is_inferred(&array.ty) && !items.contains("null");
        Ok(if inferred { format!("new[] {items}") } else { format!("new {ty} {items}") })
    }

    fn items(
        &mut self,
        lengths: &[u32],
        at: &mut Vec<i32>,
        elements: &BTreeMap<&[i32], &Value>,
        element: &str,
        hint: &str,
    ) -> Written<String> {
        let Some((length, inner)) = lengths.split_first() else {
            return match elements.get(at.as_slice()) {
                Some(value) => self.value(value, element, Wanted::Converted, &self.element_hint(value, hint)),
                None => Ok(blank(element).to_owned()),
            };
        };
        let mut items = Vec::new();
        for index in 0..*length {
            at.push(index.cast_signed());
            items.push(self.items(inner, at, elements, element, hint)?);
            at.pop();
        }
        Ok(format!("{{ {} }}", items.join(", ")))
    }

    /// Arrays that C# has no creation expression for: of types that are not public, or not starting at zero.
    fn array_by_class(&mut self, id: ObjectId, array: &Array, hint: &str) -> Written<String> {
        let element = self.type_expression(element_type(&array.ty))?;
        let numbers = |numbers: Vec<String>| format!("new[] {{ {} }}", numbers.join(", "));
        let lengths = numbers(array.lengths.iter().map(u32::to_string).collect());
        let class = self.scope.known("System.Array");
        let bounds = if array.lower_bounds.is_empty() {
            String::new()
        } else {
            format!(", {}", numbers(array.lower_bounds.iter().map(i32::to_string).collect()))
        };
        let mut text = format!("{class}.CreateInstance({element}, {lengths}{bounds})");
        let is_vector_of_its_own = array.lengths.len() == 1 && !bounds.is_empty();
        if let Some(ty) = self.public_name(&array.ty).filter(|_| !is_vector_of_its_own) {
            text = format!("({ty}){text}");
        }
        let local = self.declare(id, "var", &text, hint);
        for element in array.elements.iter().filter(|element| !is_default(&element.value)) {
            let at: Vec<String> = element.at.iter().map(i32::to_string).collect();
            let statement = format!("{local}.SetValue({HOLE}, {});", at.join(", "));
            self.put(&statement, &element.value, "", Wanted::Exact, hint)?;
        }
        self.flush()?;
        Ok(local)
    }

    pub(super) fn collection(
        &mut self,
        id: ObjectId,
        collection: &Collection,
        hint: &str,
    ) -> Written<String> {
        let definition = collection.ty.split('[').next().unwrap_or_default();
        let Some(name) = self.public_name(&collection.ty) else {
            return self.collection_by_interface(id, collection, definition, hint);
        };
        let add = adding(definition).ok_or_else(|| format!("{definition} is no known collection"))?;
        let (key_type, value_type) = item_types(&collection.ty);
        if self.graph.in_cycle(id) || collection.items.len() > MAX_LISTED {
            let local = self.declare(id, "var", &format!("new {name}()"), hint);
            let in_order: Vec<&Item> = match add {
                "Push" => collection.items.iter().rev().collect(),
                _ => collection.items.iter().collect(),
            };
            for item in in_order {
                let key = match &item.key {
                    Some(key) => self.value(key, &key_type, Wanted::Converted, hint)? + ", ",
                    None => String::new(),
                };
                let statement = format!("{local}.{add}({key}{HOLE});");
                self.put(&statement, &item.value, &value_type, Wanted::Converted, hint)?;
            }
            self.flush()?;
            return Ok(local);
        }
        self.pending.push(id);
        let text = self.listed_collection(collection, &name, add, hint)?;
        self.pending.pop();
        let placed = self.placed(id, &text, hint, false);
        self.flush()?;
        Ok(placed)
    }

    /// Of elements that are not public: what is not generic about it can still be named.
    fn collection_by_interface(
        &mut self,
        id: ObjectId,
        collection: &Collection,
        definition: &str,
        hint: &str,
    ) -> Written<String> {
        let interface = match definition.strip_prefix("System.Collections.Generic.") {
            Some("List`1") => "System.Collections.IList",
            Some("Dictionary`2") => "System.Collections.IDictionary",
            _ => return Err(format!("{} is not public", collection.ty)),
        };
        let ty = self.type_expression(&collection.ty)?;
        let (interface, activator) = (self.scope.known(interface), self.scope.known("System.Activator"));
        let local = self.declare(id, "var", &format!("({interface}){activator}.CreateInstance({ty})"), hint);
        for item in &collection.items {
            let key = match &item.key {
                Some(key) => self.value(key, "", Wanted::Exact, hint)? + ", ",
                None => String::new(),
            };
            let statement = format!("{local}.Add({key}{HOLE});");
            self.put(&statement, &item.value, "", Wanted::Exact, hint)?;
        }
        self.flush()?;
        Ok(local)
    }

    /// `new List<int> { 1, 2 }`, `new Queue<int>(new[] { 1, 2 })`
    pub(super) fn listed_collection(
        &mut self,
        collection: &Collection,
        name: &str,
        add: &str,
        hint: &str,
    ) -> Written<String> {
        let mut items = Vec::new();
        let (key_type, value_type) = item_types(&collection.ty);
        for item in &collection.items {
            let hint_of_item = self.element_hint(&item.value, hint);
            let value = self.value(&item.value, &value_type, Wanted::Converted, &hint_of_item)?;
            items.push(match &item.key {
                Some(key) => format!("[{}] = {value}", self.value(key, &key_type, Wanted::Converted, hint)?),
                None => value,
            });
        }
        if items.is_empty() {
            return Ok(format!("new {name}()"));
        }
        if add == "Add" {
            return Ok(format!("new {name} {{ {} }}", items.join(", ")));
        }
        if add == "Push" {
            // The top is what was pushed last.
            items.reverse();
        }
        let parsed = TypeName::parse(&collection.ty).ok_or("a collection without a type")?;
        let element = parsed.arguments.first().and_then(|element| self.scope.type_name(element));
        let element = element.ok_or("a collection without a type argument")?;
        let inferred = is_inferred(&format!("{}[]", parsed.arguments.first().ok_or("no argument")?));
        let inferred = inferred && !items.iter().any(|item| item == "null");
        let array = if inferred { "new[]".to_owned() } else { format!("new {element}[]") };
        Ok(format!("new {name}({array} {{ {} }})", items.join(", ")))
    }
}

/// The types of keys and of values.
pub fn item_types(collection: &str) -> (String, String) {
    let arguments = TypeName::parse(collection).map(|name| name.arguments).unwrap_or_default();
    let text = |argument: Option<&TypeName>| argument.map(ToString::to_string).unwrap_or_default();
    (text(arguments.first()), text(arguments.last()))
}

/// `System.Int32[,][]` → `System.Int32[,]`.
pub fn element_type(array: &str) -> &str {
    array.rfind('[').and_then(|at| array.get(..at)).unwrap_or(array)
}

/// `int[][]`, 3 → `new int[3][]`.
fn created(ty: &str, lengths: &[u32]) -> Written<String> {
    let (element, ranks) = split_array(ty).ok_or("an array type without brackets")?;
    let lengths: Vec<String> = lengths.iter().map(u32::to_string).collect();
    let inner = ranks.split_once(']').map_or("", |(_, inner)| inner);
    Ok(format!("new {element}[{}]{inner}", lengths.join(", ")))
}

/// The ranks are the brackets at the end: those of a tuple or of type arguments are no ranks.
fn split_array(ty: &str) -> Option<(&str, &str)> {
    let element = ty.trim_end_matches(['[', ']', ',']);
    let at = element.len();
    let ranks = ty.get(at..)?;
    ranks.starts_with('[').then_some((element, ranks))
}

/// Element types that the compiler infers from literals.
fn is_inferred(array: &str) -> bool {
    let element = element_type(array);
    ["System.Int32", "System.String", "System.Boolean", "System.Char", "System.Double"].contains(&element)
}

/// The default value where the type is known.
fn blank(element: &str) -> &'static str {
    match element {
        "System.Boolean" => "false",
        "System.Char" => "'\\0'",
        "System.String" | "System.Object" => "null",
        _ if element.ends_with(']') && !element.contains('`') => "null",
        _ if Primitive::parse(element, "0").or(Primitive::parse(element, "0x0")).is_some() => "0",
        _ => "default",
    }
}

fn run_length(elements: &[&case::Element]) -> usize {
    let Some(first) = elements.first() else { return 0 };
    let [start] = first.at[..] else { return 1 };
    if !matches!(first.value, Value::Primitive(_) | Value::Enum { .. }) {
        return 1;
    }
    let expected = (0..).map(|n: i32| start.wrapping_add(n));
    let same = elements
        .iter()
        .zip(expected)
        .take_while(|(element, at)| element.at == [*at] && element.value == first.value);
    same.count()
}
