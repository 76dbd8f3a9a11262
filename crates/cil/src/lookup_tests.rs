//! Look-ups in tables that are not in order, and lists that go through pointer tables.

use crate::handmade::Handmade;
use crate::schema::*;

/// Two types of two fields each; the pointer table puts the fields in the order 3, 1, 4, 2.
fn edit_and_continue() -> Handmade {
    Handmade {
        tables: vec![
            (TableId::TypeDef, vec![vec![0, 1, 0, 0, 1, 1], vec![0, 3, 0, 0, 3, 2]]),
            (TableId::FieldPtr, vec![vec![3], vec![1], vec![4], vec![2]]),
            (TableId::Field, vec![vec![0, 1, 0]; 4]),
            (TableId::MethodPtr, vec![vec![2], vec![1]]),
            (TableId::MethodDef, vec![vec![0, 0, 0, 1, 0, 1]; 2]),
        ],
        strings: b"\0A\0B\0".to_vec(),
        uncompressed: true,
        ..Handmade::default()
    }
}

#[test]
fn lists_go_through_pointer_tables() {
    let metadata = edit_and_continue().open().unwrap();
    let [first, second] = [1, 2].map(|row| metadata.type_def(TypeDefId::new(row)).unwrap());
    assert_eq!(first.fields.collect::<Vec<_>>(), [3, 1].map(FieldId::new));
    assert_eq!(second.fields.collect::<Vec<_>>(), [4, 2].map(FieldId::new));
    assert_eq!(first.methods.collect::<Vec<_>>(), [MethodDefId::new(2)]);
    assert_eq!((first.name, second.name), ("A", "B"));
    assert_eq!(first.fields.row_range(), None);
}

#[test]
fn owners_are_found_through_pointer_tables() {
    let metadata = edit_and_continue().open().unwrap();
    let owner = |field| metadata.declaring_type_of_field(FieldId::new(field)).unwrap().map(TypeDefId::row);
    assert_eq!([1, 2, 3, 4].map(owner), [Some(1), Some(2), Some(1), Some(2)]);
    assert_eq!(owner(5), None);
    let owner =
        |method| metadata.declaring_type_of_method(MethodDefId::new(method)).unwrap().map(TypeDefId::row);
    assert_eq!([1, 2].map(owner), [Some(2), Some(1)]);
}

#[test]
fn a_pointer_to_nowhere_is_an_error() {
    let mut handmade = edit_and_continue();
    handmade.tables[1].1[2] = vec![9];
    assert!(handmade.open().is_err());
}

#[test]
fn lists_that_go_back_are_an_error() {
    let mut handmade = edit_and_continue();
    handmade.tables[0].1[0][4] = 4;
    let metadata = handmade.open().unwrap();
    assert!(metadata.type_def(TypeDefId::new(1)).is_err());
    assert!(metadata.type_def(TypeDefId::new(2)).is_err());
}

fn nested(rows: &[[u32; 2]], sorted: bool) -> crate::Metadata {
    let types = (0..6).map(|_| vec![2, 1, 0, 0, 1, 1]).collect();
    let rows = rows.iter().map(|row| row.to_vec()).collect();
    Handmade {
        tables: vec![(TableId::TypeDef, types), (TableId::NestedClass, rows)],
        strings: b"\0N\0".to_vec(),
        sorted: u64::from(sorted) << TableId::NestedClass as u32,
        ..Handmade::default()
    }
    .open()
    .unwrap()
}

#[test]
fn tables_in_and_out_of_order_give_the_same_answers() {
    let in_order = nested(&[[2, 1], [3, 1], [4, 2], [5, 3], [6, 1]], true);
    let out_of_order = nested(&[[5, 3], [2, 1], [6, 1], [4, 2], [3, 1]], false);
    for row in 1..=6 {
        let id = TypeDefId::new(row);
        assert_eq!(in_order.enclosing_type(id).unwrap(), out_of_order.enclosing_type(id).unwrap(), "{id:?}");
        let inside = |metadata: &crate::Metadata| {
            let mut types: Vec<_> = metadata.nested_types(id).map(Result::unwrap).collect();
            types.sort();
            types
        };
        assert_eq!(inside(&in_order), inside(&out_of_order), "{id:?}");
    }
    assert_eq!(in_order.enclosing_type(TypeDefId::new(5)).unwrap(), Some(TypeDefId::new(3)));
    assert_eq!(in_order.nested_types(TypeDefId::new(1)).count(), 3);
    let found = out_of_order.find_nested_type(TypeDefId::new(3), "N").unwrap();
    assert_eq!(found, Some(TypeDefId::new(5)));
}
