//! Finding the rows that belong to something: binary search in tables sorted by their key column.
//!
//! ECMA-335 II.22 orders most child tables by parent and says so in the `Sorted` bits. Where a table is not flagged
//! (edit-and-continue metadata) or is searched by a column it is not ordered by, a permutation is sorted once instead.

use std::marker::PhantomData;
use std::sync::OnceLock;

use crate::column::Column;
use crate::error::Result;
use crate::metadata::Metadata;
use crate::schema::*;
use crate::token::Token;

macro_rules! searches {
    ($($Name:ident = $table:ident[$column:literal] $order:ident;)*) => {
        /// A table and the column it is searched by.
        #[derive(Clone, Copy)]
        pub(crate) enum Search { $($Name,)* }

        const SEARCHES: usize = [$(Search::$Name,)*].len();

        impl Search {
            const fn describe(self) -> (TableId, usize, bool) {
                match self { $(Search::$Name => (TableId::$table, $column, searches!($order)),)* }
            }
        }
    };
    (ordered) => { true };
    (scattered) => { false };
}

searches! {
    InterfacesOfClass = InterfaceImpl[0] ordered;
    ConstantOfParent = Constant[1] ordered;
    AttributesOfParent = CustomAttribute[0] ordered;
    MarshalOfParent = FieldMarshal[0] ordered;
    SecurityOfParent = DeclSecurity[1] ordered;
    LayoutOfClass = ClassLayout[2] ordered;
    LayoutOfField = FieldLayout[1] ordered;
    EventsOfClass = EventMap[0] scattered;
    PropertiesOfClass = PropertyMap[0] scattered;
    SemanticsOfAssociation = MethodSemantics[2] ordered;
    SemanticsOfMethod = MethodSemantics[1] scattered;
    ImplsOfClass = MethodImpl[0] ordered;
    ImportOfMember = ImplMap[1] ordered;
    RvaOfField = FieldRva[1] ordered;
    EnclosingOfNested = NestedClass[0] ordered;
    NestedOfEnclosing = NestedClass[1] scattered;
    ParamsOfOwner = GenericParam[2] ordered;
    ConstraintsOfParam = GenericParamConstraint[0] ordered;
    ScopesOfMethod = LocalScope[0] ordered;
    MachineOfMoveNext = StateMachineMethod[0] ordered;
    MachineOfKickoff = StateMachineMethod[1] scattered;
    DebugInfoOfParent = CustomDebugInformation[0] ordered;
    PointerToField = FieldPtr[0] scattered;
    PointerToMethod = MethodPtr[0] scattered;
    PointerToParam = ParamPtr[0] scattered;
    PointerToEvent = EventPtr[0] scattered;
    PointerToProperty = PropertyPtr[0] scattered;
}

/// The permutations, each made when first needed.
#[derive(Default)]
pub(crate) struct Lookups {
    permutations: [OnceLock<Box<[u32]>>; SEARCHES],
}

/// The rows a search found, in the order of the table.
#[derive(Clone)]
pub struct Found<'a, Id> {
    /// `None`: the rows are `start + 1 ..= end` themselves.
    permutation: Option<&'a [u32]>,
    start: u32,
    end: u32,
    id: PhantomData<Id>,
}

impl<Id: RowId> Iterator for Found<'_, Id> {
    type Item = Id;

    fn next(&mut self) -> Option<Id> {
        if self.start >= self.end {
            return None;
        }
        let position = self.start;
        self.start += 1;
        Some(Id::from_row(match self.permutation {
            None => position + 1,
            Some(rows) => *rows.get(position as usize)?,
        }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = (self.end - self.start) as usize;
        (len, Some(len))
    }
}

impl<Id: RowId> ExactSizeIterator for Found<'_, Id> {}

impl Metadata {
    pub(crate) fn find<Id: RowId>(&self, search: Search, key: impl Into<Token>) -> Found<'_, Id> {
        let (table, column, ordered) = search.describe();
        let key = key.into();
        let key = match table.columns().get(column) {
            Some(Column::Coded(index)) => key.table().and_then(|table| index.encode(table, key.row())),
            _ => Some(key.row()),
        };
        let permutation = match ordered && self.is_flagged_sorted(table) {
            true => None,
            false => Some(self.permutation(search)),
        };
        let value = |position: u32| {
            let row = permutation.map_or(Some(position + 1), |rows| rows.get(position as usize).copied());
            row.map_or(0, |row| self.raw_cell(table, row, column))
        };
        let (start, end) = match key {
            Some(key) => {
                let start = partition_point(0, self.rows(table), |position| value(position) < key);
                (start, partition_point(start, self.rows(table), |position| value(position) <= key))
            }
            None => (0, 0),
        };
        Found { permutation, start, end, id: PhantomData }
    }

    fn permutation(&self, search: Search) -> &[u32] {
        let (table, column, _) = search.describe();
        let Some(place) = self.lookups.permutations.get(search as usize) else { return &[] };
        place.get_or_init(|| {
            let mut rows: Box<[u32]> = (1..=self.rows(table)).collect();
            rows.sort_by_key(|&row| self.raw_cell(table, row, column));
            rows
        })
    }
}

fn partition_point(mut low: u32, mut high: u32, mut is_before: impl FnMut(u32) -> bool) -> u32 {
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// What belongs to a type, field, method or other parent.
impl Metadata {
    pub fn interfaces_of(&self, class: TypeDefId) -> Found<'_, InterfaceImplId> {
        self.find(Search::InterfacesOfClass, class)
    }

    /// The constant of a field, parameter or property.
    pub fn constant_of(&self, parent: Token) -> Option<ConstantId> {
        self.find(Search::ConstantOfParent, parent).next()
    }

    pub fn custom_attributes(&self, parent: Token) -> Found<'_, CustomAttributeId> {
        self.find(Search::AttributesOfParent, parent)
    }

    /// How a field or parameter is marshalled.
    pub fn marshal_of(&self, parent: Token) -> Option<FieldMarshalId> {
        self.find(Search::MarshalOfParent, parent).next()
    }

    pub fn decl_securities(&self, parent: Token) -> Found<'_, DeclSecurityId> {
        self.find(Search::SecurityOfParent, parent)
    }

    pub fn class_layout_of(&self, class: TypeDefId) -> Result<Option<ClassLayout>> {
        self.find(Search::LayoutOfClass, class).next().map(|id| self.class_layout(id)).transpose()
    }

    /// The explicit offset of a field.
    pub fn field_offset_of(&self, field: FieldId) -> Result<Option<u32>> {
        let row =
            self.find(Search::LayoutOfField, field).next().map(|id| self.field_layout(id)).transpose()?;
        Ok(row.map(|row| row.offset))
    }

    pub fn events_of(&self, class: TypeDefId) -> Result<Vec<EventId>> {
        match self.find(Search::EventsOfClass, class).next() {
            Some(map) => Ok(self.event_map(map)?.events.collect()),
            None => Ok(Vec::new()),
        }
    }

    pub fn properties_of(&self, class: TypeDefId) -> Result<Vec<PropertyId>> {
        match self.find(Search::PropertiesOfClass, class).next() {
            Some(map) => Ok(self.property_map(map)?.properties.collect()),
            None => Ok(Vec::new()),
        }
    }

    /// The accessors of an event or a property.
    pub fn semantics_of(&self, association: Token) -> Found<'_, MethodSemanticsId> {
        self.find(Search::SemanticsOfAssociation, association)
    }

    /// The events and properties that a method is an accessor of.
    pub fn semantics_of_method(&self, method: MethodDefId) -> Found<'_, MethodSemanticsId> {
        self.find(Search::SemanticsOfMethod, method)
    }

    /// The explicit overrides declared in a class.
    pub fn method_impls_of(&self, class: TypeDefId) -> Found<'_, MethodImplId> {
        self.find(Search::ImplsOfClass, class)
    }

    /// The P/Invoke import of a method.
    pub fn impl_map_of(&self, member: Token) -> Result<Option<ImplMap<'_>>> {
        self.find(Search::ImportOfMember, member).next().map(|id| self.impl_map(id)).transpose()
    }

    pub fn field_rva_of(&self, field: FieldId) -> Result<Option<u32>> {
        let row = self.find(Search::RvaOfField, field).next().map(|id| self.field_rva(id)).transpose()?;
        Ok(row.map(|row| row.rva))
    }

    /// The type a nested type lies in.
    pub fn enclosing_type(&self, nested: TypeDefId) -> Result<Option<TypeDefId>> {
        let row = self
            .find(Search::EnclosingOfNested, nested)
            .next()
            .map(|id| self.nested_class(id))
            .transpose()?;
        Ok(row.map(|row| row.enclosing))
    }

    /// The types directly inside a type.
    pub fn nested_types(&self, enclosing: TypeDefId) -> impl Iterator<Item = Result<TypeDefId>> {
        self.find(Search::NestedOfEnclosing, enclosing).map(|id| self.nested_class(id).map(|row| row.nested))
    }

    /// The generic parameters of a type or method, by number.
    pub fn generic_params(&self, owner: Token) -> Found<'_, GenericParamId> {
        self.find(Search::ParamsOfOwner, owner)
    }

    pub fn constraints_of(&self, param: GenericParamId) -> Found<'_, GenericParamConstraintId> {
        self.find(Search::ConstraintsOfParam, param)
    }
}

/// The owner of a member: the reverse of the lists.
impl Metadata {
    pub fn declaring_type_of_field(&self, field: FieldId) -> Result<Option<TypeDefId>> {
        let position = self.list_position(Search::PointerToField, field);
        Ok(self.owner(TableId::TypeDef, 4, position)?.map(TypeDefId::new))
    }

    pub fn declaring_type_of_method(&self, method: MethodDefId) -> Result<Option<TypeDefId>> {
        let position = self.list_position(Search::PointerToMethod, method);
        Ok(self.owner(TableId::TypeDef, 5, position)?.map(TypeDefId::new))
    }

    pub fn method_of_param(&self, param: ParamId) -> Result<Option<MethodDefId>> {
        let position = self.list_position(Search::PointerToParam, param);
        Ok(self.owner(TableId::MethodDef, 5, position)?.map(MethodDefId::new))
    }

    pub fn declaring_type_of_event(&self, event: EventId) -> Result<Option<TypeDefId>> {
        let position = self.list_position(Search::PointerToEvent, event);
        let map = self.owner(TableId::EventMap, 1, position)?;
        map.map(|row| Ok(self.event_map(EventMapId::new(row))?.parent)).transpose()
    }

    pub fn declaring_type_of_property(&self, property: PropertyId) -> Result<Option<TypeDefId>> {
        let position = self.list_position(Search::PointerToProperty, property);
        let map = self.owner(TableId::PropertyMap, 1, position)?;
        map.map(|row| Ok(self.property_map(PropertyMapId::new(row))?.parent)).transpose()
    }

    /// Where a row stands in the lists: its own number, or that of the pointer to it.
    fn list_position<Id: RowId>(&self, search: Search, id: Id) -> u32 {
        let (pointers, ..) = search.describe();
        if self.rows(pointers) == 0 {
            return id.row();
        }
        let (permutation, start) = match self.find::<FieldPtrId>(search, id.token()) {
            Found { start, end, .. } if start == end => return 0,
            found => (found.permutation, found.start),
        };
        permutation.and_then(|rows| rows.get(start as usize).copied()).unwrap_or(0)
    }

    /// The row of `table` whose list in `column` holds `position`.
    fn owner(&self, table: TableId, column: usize, position: u32) -> Result<Option<u32>> {
        let starts_before = |index: u32| self.raw_cell(table, index + 1, column) <= position;
        let owner = partition_point(0, self.rows(table), starts_before);
        if owner == 0 || position == 0 {
            return Ok(None);
        }
        let (start, end) = self.list_bounds(table, owner, column)?;
        Ok((start..end).contains(&position).then_some(owner))
    }
}
