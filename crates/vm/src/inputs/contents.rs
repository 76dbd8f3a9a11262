//! What an input object holds when the path first looks at it: symbols for its fields, or for its length and elements.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use term::{Sort, Symbol, Term};
use types::{FieldId, Type, TypeId};

use crate::bytes::{Bits, Bytes};
use crate::cells::{ArrayInput, Base, Cells, SymbolicRead};
use crate::decode::repr_of;
use crate::effects::{WrittenFields, is_never_null};
use crate::heap::{BlockId, BlockKind, Sharing};
use crate::inputs::Input;
use crate::inputs::grids::shapes;
use crate::inputs::making::Making;
use crate::machine::Machine;
use crate::ops::ELEMENTS;
use crate::state::State;
use verdict::Gap;

/// The symbols inside an input object. They are the same on every path, so that what the solver learns is shared.
#[derive(Clone, Debug)]
pub enum Contents {
    Fields {
        ty: TypeId,
        fields: Vec<(FieldId, Input)>,
    },
    /// A vector or a string. Its elements are in [`Elements`].
    Array {
        ty: TypeId,
        element: TypeId,
        length: Symbol,
    },
    /// An array of several dimensions; its shape is the path's. Its elements are in [`Elements`].
    Grid {
        ty: TypeId,
    },
    /// A mocked delegate.
    Delegate {
        ty: TypeId,
    },
    /// A boxed value.
    Boxed {
        ty: TypeId,
        value: Input,
    },
    /// A `List`1`: the array behind it is that of a reference of its own.
    List {
        ty: TypeId,
        items: Symbol,
        array: TypeId,
    },
    /// A collection that its own methods fill, with some of these items; each is a value, or a key and a value.
    Filled {
        ty: TypeId,
        items: Vec<Vec<Input>>,
    },
    /// An object that the framework's own code makes, in one of these ways.
    Made {
        ty: TypeId,
        ways: Vec<Making>,
    },
}

/// The elements of an input array that have been looked at on some path.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    pub known: BTreeMap<u32, Input>,
    symbolic: FxHashMap<Term, Input>,
}

impl Elements {
    /// What stands at indexes that are not known, in no order.
    pub fn at_symbolic(&self) -> impl Iterator<Item = (Term, &Input)> {
        self.symbolic.iter().map(|(index, input)| (*index, input))
    }
}

/// The longest strings and arrays have lengths of this many bits.
const STRING_LENGTH_BITS: u32 = 30;
const ARRAY_LENGTH_BITS: u32 = 31;

impl Contents {
    pub fn ty(&self) -> TypeId {
        match self {
            Contents::Fields { ty, .. }
            | Contents::Array { ty, .. }
            | Contents::Grid { ty, .. }
            | Contents::Delegate { ty }
            | Contents::Boxed { ty, .. }
            | Contents::List { ty, .. }
            | Contents::Filled { ty, .. }
            | Contents::Made { ty, .. } => *ty,
        }
    }
}

impl Machine {
    /// Why no object of a type can be made up; `None` if one can.
    pub fn why_not_made(&self, ty: TypeId) -> Option<Gap> {
        let universe = &self.universe;
        let name = || universe.type_name(ty);
        let detail = match universe.ty(ty) {
            Type::SzArray(_) => return None,
            Type::Array { rank, .. } if shapes(*rank).is_empty() => {
                format!("{} has too many dimensions", name())
            }
            Type::Array { .. } => return None,
            _ if universe.well_known().is_ok_and(|known| known.string == ty) => return None,
            _ if universe.is_delegate(ty) => return self.mock_of(ty).err(),
            _ if universe.well_known().is_ok_and(|known| known.object == ty) => return None,
            _ if universe.is_interface(ty) || self.definition_name(ty) == "System.Array" => return None,
            _ if self.is_list(ty) || self.is_filled(ty) => return None,
            _ if universe.is_value_type(ty) || self.is_made(ty) => return None,
            _ if self.is_framework(ty) => format!("{} keeps its state private to the framework", name()),
            _ => return None,
        };
        Some(Gap::unsupported_input(detail))
    }

    /// Gives a reference an object of its own, of exactly this type.
    pub(crate) fn materialize(&mut self, s: &mut State, symbol: Symbol, ty: TypeId) -> Result<BlockId, Gap> {
        let contents = self.contents(symbol, ty)?;
        let block = match &*contents {
            Contents::Fields { ty, fields } => self.make_instance(s, *ty, fields)?,
            Contents::Delegate { ty } => self.make_mocked_delegate(s, *ty)?,
            Contents::Boxed { ty, value } => self.make_box(s, *ty, value)?,
            Contents::List { ty, items, array } => self.make_list(s, *ty, *items, *array)?,
            Contents::Grid { .. } | Contents::Filled { .. } | Contents::Made { .. } => {
                return Err(Gap::internal_error("a collection made in one step"));
            }
            Contents::Array { ty, element, length } => self.make_array(s, symbol, *ty, *element, *length)?,
        };
        Rc::make_mut(&mut s.path.origins).add_object(symbol, block);
        // Strings never change.
        if self.universe.well_known()?.string != ty {
            s.heap.share(block, Sharing::Input);
        }
        Ok(block)
    }

    pub fn contents(&mut self, symbol: Symbol, ty: TypeId) -> Result<Rc<Contents>, Gap> {
        if let Some(contents) = self.inputs.contents.get(&(symbol, ty)) {
            return Ok(Rc::clone(contents));
        }
        let name =
            self.inputs.references.get(&symbol).map_or_else(|| "object".into(), |r| Rc::clone(&r.name));
        if let Type::Array { .. } = *self.universe.ty(ty) {
            let contents = Rc::new(Contents::Grid { ty });
            self.inputs.contents.insert((symbol, ty), Rc::clone(&contents));
            return Ok(contents);
        }
        let contents = Rc::new(match self.element_of(ty)? {
            Some(element) => self.array_contents(symbol, ty, element, &name),
            None if self.universe.is_value_type(ty) => {
                Contents::Boxed { ty, value: self.make_input(ty, &name, 0)? }
            }
            None if self.universe.is_delegate(ty) => Contents::Delegate { ty },
            None if self.is_list(ty) => self.list_contents(ty, &name)?,
            None if self.is_filled(ty) => self.filled_contents(ty, &name)?,
            None if self.is_made(ty) => self.made_contents(ty, &name)?,
            None => self.field_contents(symbol, ty, &name)?,
        });
        self.inputs.contents.insert((symbol, ty), Rc::clone(&contents));
        Ok(contents)
    }

    /// The type of the elements, if a type is a vector or a string.
    fn element_of(&self, ty: TypeId) -> Result<Option<TypeId>, Gap> {
        let known = self.universe.well_known()?;
        Ok(match self.universe.ty(ty) {
            Type::SzArray(element) => Some(*element),
            _ if known.string == ty => Some(known.char),
            _ => None,
        })
    }

    fn list_contents(&mut self, ty: TypeId, path: &str) -> Result<Contents, Gap> {
        let universe = Rc::clone(&self.universe);
        let &[element] = universe.type_args(ty) else { return Err(no_elements()) };
        let array = universe.make_sz_array(element)?;
        Ok(Contents::List { ty, items: self.reference_symbol(array, path), array })
    }

    fn array_contents(&mut self, owner: Symbol, ty: TypeId, element: TypeId, path: &str) -> Contents {
        let is_string = !matches!(self.universe.ty(ty), Type::SzArray(_));
        let bits = if is_string { STRING_LENGTH_BITS } else { ARRAY_LENGTH_BITS };
        let length = self.terms.symbol(&format!("{path}.Length"), Sort::Bv(bits));
        self.inputs.lengths.insert(length, owner);
        Contents::Array { ty, element, length }
    }

    fn make_array(
        &mut self,
        s: &mut State,
        owner: Symbol,
        ty: TypeId,
        element: TypeId,
        length: Symbol,
    ) -> Result<BlockId, Gap> {
        let size = repr_of(&self.universe, element)?.size();
        let is_string = !matches!(self.universe.ty(ty), Type::SzArray(_));
        let first = if is_string { 4 } else { ELEMENTS };
        let length = self.terms.var(length);
        let length = self.terms.zext(length, 32);
        let length = self.in_model(length);
        if is_string && let Some(length) = self.terms.as_bv(length) {
            return self.known_string(s, owner, ty, length as u32);
        }
        self.cells_block(
            s,
            ty,
            length,
            Cells::new(first, size, Base::Input(ArrayInput { owner, element }), self.config.split),
        )
    }

    /// A vector or string of symbolic length.
    pub(crate) fn cells_block(
        &mut self,
        s: &mut State,
        ty: TypeId,
        length: Term,
        cells: Cells,
    ) -> Result<BlockId, Gap> {
        let mut header = Bytes::zeroed(cells.first as usize);
        let bits = match self.terms.as_bv(length) {
            Some(known) => Bits::Concrete(known as u64),
            None => Bits::Symbolic(length),
        };
        let written = header.write(0, 4, bits, &mut self.terms);
        written.map_err(|_| Gap::internal_error("a length without a place"))?;
        Ok(s.heap.allocate_cells(BlockKind::Object(ty), header, cells))
    }

    /// The element of an input array at a known index.
    pub(crate) fn known_element(&mut self, array: ArrayInput, index: u32) -> Result<Input, Gap> {
        if let Some(input) = self.inputs.elements.get(&array).and_then(|elements| elements.known.get(&index))
        {
            return Ok(input.clone());
        }
        let name = self.element_name(array.owner, &index.to_string());
        let input = self.make_input(array.element, &name, 0)?;
        self.inputs.elements.entry(array).or_default().known.insert(index, input.clone());
        Ok(input)
    }

    /// The length of the string that was made for a reference.
    pub fn string_length(&mut self, owner: Symbol) -> Option<Term> {
        let string = self.universe.well_known().ok()?.string;
        let Contents::Array { length, .. } = &**self.inputs.contents_of(owner, string)? else { return None };
        Some(self.terms.var(*length))
    }

    /// A character of such a string, whether a path has looked at it or not.
    pub fn character(&mut self, owner: Symbol, index: u32) -> Result<Input, Gap> {
        let element = self.universe.well_known()?.char;
        self.known_element(ArrayInput { owner, element }, index)
    }

    /// A new read of an input array at a symbolic index.
    pub(crate) fn symbolic_element(&mut self, array: ArrayInput, index: Term) -> Result<SymbolicRead, Gap> {
        let elements = self.inputs.elements.entry(array).or_default();
        let known = elements.known.keys().copied().collect();
        let input = match elements.symbolic.get(&index) {
            Some(input) => input.clone(),
            None => {
                let name = self.element_name(array.owner, "?");
                let input = self.make_input(array.element, &name, 0)?;
                let elements = self.inputs.elements.entry(array).or_default();
                elements.symbolic.insert(index, input.clone());
                input
            }
        };
        Ok(SymbolicRead { index, input, known })
    }

    fn element_name(&self, owner: Symbol, index: &str) -> String {
        let array = self.inputs.reference(owner).map_or("array", |reference| &reference.name);
        format!("{array}[{index}]")
    }

    fn field_contents(&mut self, owner: Symbol, ty: TypeId, path: &str) -> Result<Contents, Gap> {
        let universe = Rc::clone(&self.universe);
        let mut fields = Vec::new();
        for &(field, _) in universe.layout(ty)?.fields.iter() {
            let info = universe.field(field);
            if self.is_framework(info.owner) {
                let detail = "fields inherited from the framework start as zero".to_owned();
                self.inputs.limit(Gap::unsupported_input(detail));
                continue;
            }
            if let Some(input) = self.inputs.fields.get(&(owner, field)) {
                fields.push((field, input.clone()));
                continue;
            }
            let name = format!("{path}.{}", info.name);
            match self.make_input(universe.field_type(field)?, &name, 0) {
                Ok(input) => {
                    if let Input::Reference { symbol, .. } = input
                        && self.holds_no_null(field)
                    {
                        let class = info.owner;
                        self.exclude_null(symbol, universe.is_extensible(class).then_some(class));
                    }
                    self.inputs.fields.insert((owner, field), input.clone());
                    fields.push((field, input));
                }
                // The field starts as zero, and no proof may rest on that.
                Err(gap) => self.inputs.limit(gap),
            }
        }
        Ok(Contents::Fields { ty, fields })
    }

    /// Whether no object that code has made holds null in a field: constructors set it, and nobody else does.
    fn holds_no_null(&mut self, field: FieldId) -> bool {
        if let Some(known) = self.classes.never_null.get(&field) {
            return *known;
        }
        let universe = Rc::clone(&self.universe);
        let info = universe.field(field);
        let is_kept = |m: &mut Machine| match *universe.ty(info.owner) {
            Type::Def { assembly, .. } => {
                let written = m.classes.written_fields.entry(assembly);
                let written = written.or_insert_with(|| WrittenFields::of(&universe, assembly));
                let owner = universe.def_info(info.owner).map(|owner| owner.id);
                (info.is_init_only() || info.is_private()) && !written.contains(&info.name, owner)
            }
            _ => false,
        };
        // Where an object of the class itself may stand, null stays an input: without it no chain of objects ever ends.
        let ends = universe
            .field_type(field)
            .and_then(|ty| universe.is_assignable(info.owner, ty))
            .is_ok_and(|is_recursive| !is_recursive);
        let holds = ends && is_kept(self) && is_never_null(&universe, field);
        self.classes.never_null.insert(field, holds);
        holds
    }

    fn make_box(&mut self, s: &mut State, ty: TypeId, value: &Input) -> Result<BlockId, Gap> {
        let size = repr_of(&self.universe, ty)?.size().max(1) as usize;
        let block = s.heap.allocate(BlockKind::Object(ty), Bytes::zeroed(size));
        self.write_input(s, block, 0, value)?;
        Ok(block)
    }

    fn make_instance(
        &mut self,
        s: &mut State,
        ty: TypeId,
        fields: &[(FieldId, Input)],
    ) -> Result<BlockId, Gap> {
        let size = self.universe.layout(ty)?.size.max(1) as usize;
        let block = s.heap.allocate(BlockKind::Object(ty), Bytes::zeroed(size));
        for (field, input) in fields {
            let offset = self.universe.field_offset(*field)?;
            self.write_input(s, block, offset, input)?;
        }
        Ok(block)
    }
}

fn no_elements() -> Gap {
    Gap::internal_error("an input array without elements")
}
