//! Which methods the user means by `--type`, `--method` and `--namespace`.
//!
//! Values of one option add up, different options narrow. A value that fits nothing is an error with the nearest names.

use crate::error::Error;
use crate::subject::nearest::nearest;
use crate::subject::target::Target;

/// The selecting options as given.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    pub types: Vec<String>,
    pub methods: Vec<String>,
    pub namespaces: Vec<String>,
}

/// The selected methods, in their order.
pub fn select(targets: Vec<Target>, selection: &Selection, assembly: &str) -> Result<Vec<Target>, Error> {
    if targets.is_empty() {
        return Err(Error::NothingToExplore { assembly: assembly.to_owned() });
    }
    let missing = |what, name: &String, nearest| {
        Err(Error::NotFound { what, name: name.clone(), assembly: assembly.to_owned(), nearest })
    };
    for name in &selection.namespaces {
        if !targets.iter().any(|t| in_namespace(t, name)) {
            return missing("namespace", name, nearest(name, targets.iter().map(|t| t.namespace.as_str())));
        }
    }
    for name in &selection.types {
        if !targets.iter().any(|t| is_type(t, name)) {
            return missing("type", name, nearest(name, targets.iter().map(|t| t.type_name.as_str())));
        }
    }
    for name in &selection.methods {
        if !targets.iter().any(|t| is_method(t, name)) {
            return missing("method", name, nearest(name, targets.iter().map(|t| t.id.as_str())));
        }
    }
    let selected: Vec<Target> = targets.into_iter().filter(|t| fits(t, selection)).collect();
    if selected.is_empty() {
        return Err(Error::NothingSelected { assembly: assembly.to_owned() });
    }
    Ok(selected)
}

pub(super) fn fits(target: &Target, selection: &Selection) -> bool {
    any_or_all(&selection.namespaces, |n| in_namespace(target, n))
        && any_or_all(&selection.types, |n| is_type(target, n))
        && any_or_all(&selection.methods, |n| is_method(target, n))
}

fn any_or_all(names: &[String], fits: impl Fn(&str) -> bool) -> bool {
    names.is_empty() || names.iter().any(|n| fits(n))
}

pub(super) fn in_namespace(target: &Target, name: &str) -> bool {
    match target.namespace.strip_prefix(name) {
        Some(rest) => rest.is_empty() || rest.starts_with('.'),
        None => false,
    }
}

/// `Shop.Outer+Inner`1`, with or without namespace, outer types and arity; C#'s dot between nested types will do.
pub(super) fn is_type(target: &Target, wanted: &str) -> bool {
    let name = dotted(&target.type_name);
    let wanted = without_arguments(&dotted(wanted));
    ends_at_part(&name, &wanted) || ends_at_part(&without_arity(&name), &wanted)
}

/// A token, a full id, or `Type.Method` / `Type::Method` / `Method`, with or without parameters.
pub(crate) fn is_method(target: &Target, wanted: &str) -> bool {
    if target.id == wanted || token_of(wanted) == Some(target.token) {
        return true;
    }
    let (path, parameters) = match wanted.split_once('(') {
        Some((path, rest)) => (path, Some(rest)),
        None => (wanted, None),
    };
    if parameters.is_some_and(|p| !same_parameters(&target.id, p)) {
        return false;
    }
    if let Some((ty, method)) = path.split_once("::") {
        return same_name(target, method) && is_type(target, ty);
    }
    if same_name(target, path) {
        return true;
    }
    // Names of constructors and of explicit implementations have dots of their own.
    path.match_indices('.').any(|(dot, _)| {
        let (ty, method) = (path.get(..dot).unwrap_or(""), path.get(dot + 1..).unwrap_or(""));
        !ty.is_empty() && same_name(target, method) && is_type(target, ty)
    })
}

fn same_name(target: &Target, wanted: &str) -> bool {
    let bare = wanted.split('<').next().filter(|name| !name.is_empty()).unwrap_or(wanted);
    target.name == wanted || target.name == bare
}

fn same_parameters(id: &str, wanted: &str) -> bool {
    let squeezed = |s: &str| s.chars().filter(|c| *c != ' ').collect::<String>();
    id.split_once('(').is_some_and(|(_, p)| {
        squeezed(p) == squeezed(wanted)
            || squeezed(&report::short_id(&format!("({p}"))).trim_start_matches('(') == squeezed(wanted)
    })
}

fn token_of(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?, 16).ok()
}

fn dotted(name: &str) -> String {
    name.replace(['+', '/'], ".")
}

/// `Cart.Line<T>` → `Cart.Line`.
fn without_arguments(name: &str) -> String {
    let mut depth = 0u32;
    let mut kept = String::new();
    for c in name.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    kept
}

fn without_arity(name: &str) -> String {
    let parts = name.split('.').map(|part| part.split('`').next().unwrap_or(part));
    parts.collect::<Vec<_>>().join(".")
}

fn ends_at_part(name: &str, wanted: &str) -> bool {
    match name.strip_suffix(wanted) {
        Some(rest) => !wanted.is_empty() && (rest.is_empty() || rest.ends_with('.')),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shop() -> Vec<Target> {
        let method = |token: u32, namespace: &str, type_name: &str, name: &str, parameters: &str| Target {
            token: 0x0600_0000 + token,
            id: format!("{type_name}::{name}({parameters})"),
            namespace: namespace.to_owned(),
            type_name: type_name.to_owned(),
            name: name.to_owned(),
            source: None,
            access: Default::default(),
            own_access: Default::default(),
            mark: None,
            inner: Default::default(),
            bodies: Vec::new(),
        };
        vec![
            method(1, "Shop", "Shop.Cart", ".ctor", ""),
            method(2, "Shop", "Shop.Cart", "Add", "System.Int32"),
            method(3, "Shop", "Shop.Cart", "Add", "System.Int32,System.String"),
            method(4, "Shop", "Shop.Cart+Line`1", "Total", ""),
            method(5, "Shop.Orders", "Shop.Orders.Order", "Add", ""),
            method(6, "Shopping", "Shopping.Cart", "get_Count", ""),
        ]
    }

    fn tokens(selection: Selection) -> Vec<u32> {
        let selected = select(shop(), &selection, "Shop.dll").unwrap();
        selected.iter().map(|t| t.token - 0x0600_0000).collect()
    }

    fn methods(names: &[&str]) -> Vec<u32> {
        tokens(Selection { methods: names.iter().map(|n| (*n).to_owned()).collect(), ..Selection::default() })
    }

    fn types(names: &[&str]) -> Vec<u32> {
        tokens(Selection { types: names.iter().map(|n| (*n).to_owned()).collect(), ..Selection::default() })
    }

    #[test]
    fn types_by_any_tail_of_their_name() {
        assert_eq!(types(&["Shop.Cart"]), [1, 2, 3]);
        assert_eq!(types(&["Cart"]), [1, 2, 3, 6]);
        for line in ["Shop.Cart+Line`1", "Cart+Line", "Shop.Cart.Line", "Line", "Cart/Line`1", "Cart.Line<T>"]
        {
            assert_eq!(types(&[line]), [4], "{line}");
        }
        assert_eq!(types(&["Order", "Line"]), [4, 5]);
    }

    #[test]
    fn methods_by_name_id_or_token() {
        assert_eq!(methods(&["Add"]), [2, 3, 5]);
        assert_eq!(methods(&["Cart.Add"]), [2, 3]);
        assert_eq!(methods(&["Shop.Cart::Add"]), [2, 3]);
        assert_eq!(methods(&["Shop.Cart::Add(System.Int32)"]), [2]);
        assert_eq!(methods(&["Cart.Add(Int32, String)"]), [3]);
        assert_eq!(methods(&["0x06000005"]), [5]);
        for ctor in [".ctor", "Cart..ctor", "Shop.Cart::.ctor", "Shop.Cart..ctor()"] {
            assert_eq!(methods(&[ctor]), [1], "{ctor}");
        }
        assert_eq!(methods(&["Order.Add", "Total"]), [4, 5]);
    }

    #[test]
    fn namespaces_include_those_inside() {
        let namespace =
            |n: &str| tokens(Selection { namespaces: vec![n.to_owned()], ..Selection::default() });
        assert_eq!(namespace("Shop"), [1, 2, 3, 4, 5]);
        assert_eq!(namespace("Shop.Orders"), [5]);
    }

    #[test]
    fn options_narrow_each_other() {
        let both = Selection {
            types: vec!["Cart".to_owned()],
            methods: vec!["Add".to_owned()],
            namespaces: vec!["Shop".to_owned()],
        };
        assert_eq!(tokens(both), [2, 3]);
        let nothing = Selection {
            types: vec!["Order".to_owned()],
            methods: vec!["Total".to_owned()],
            ..Selection::default()
        };
        let error = select(shop(), &nothing, "Shop.dll").unwrap_err();
        assert_eq!(error.to_string(), "no method of Shop.dll fits the selection");
    }

    #[test]
    fn unknown_names_get_suggestions() {
        let ask = |selection| select(shop(), &selection, "Shop.dll").unwrap_err().to_string();
        let method = Selection { methods: vec!["Cart.Ad".to_owned()], ..Selection::default() };
        assert_eq!(
            ask(method),
            "method `Cart.Ad` was not found in Shop.dll; did you mean Shop.Cart::Add(System.Int32), \
             Shop.Cart::Add(System.Int32,System.String) or Shop.Orders.Order::Add()?"
        );
        let ty = Selection { types: vec!["Kart".to_owned()], ..Selection::default() };
        assert_eq!(
            ask(ty),
            "type `Kart` was not found in Shop.dll; did you mean Shop.Cart or Shopping.Cart?"
        );
        let namespace = Selection { namespaces: vec!["Zzzzz".to_owned()], ..Selection::default() };
        assert_eq!(ask(namespace), "namespace `Zzzzz` was not found in Shop.dll");
    }
}
