//! Collections of the framework as inputs.
//!
//! Their private state is not made up: a list is an array that is full, and the others are filled by their own methods,
//! run by the machine with symbolic items before the path goes on. So every state is one that a caller can make.

use std::rc::Rc;

use term::Symbol;
use types::{Primitive, TypeId};

use crate::bytes::{Bits, Bytes};
use crate::code::{Code, Op};
use crate::decode::repr_of;
use crate::heap::{BlockId, BlockKind};
use crate::inputs::Input;
use crate::inputs::contents::Contents;
use crate::machine::{Machine, Step, give_up};
use crate::made_code::MadeCode;
use crate::state::{OnReturn, State};
use crate::value::{Repr, Value};
use verdict::Gap;

/// Items that a collection is filled with at most.
pub(crate) const MAX_ITEMS: u32 = 3;

const LIST: &str = "System.Collections.Generic.List`1";

/// Collections and the method that adds an item.
const FILLED: &[(&str, &str)] = &[
    ("System.Collections.Generic.Dictionary`2", "set_Item"),
    ("System.Collections.Generic.HashSet`1", "Add"),
    ("System.Collections.Generic.Queue`1", "Enqueue"),
    ("System.Collections.Generic.Stack`1", "Push"),
    ("System.Collections.Generic.LinkedList`1", "AddLast"),
    ("System.Collections.Generic.SortedSet`1", "Add"),
    ("System.Collections.Generic.SortedList`2", "set_Item"),
    ("System.Collections.Generic.SortedDictionary`2", "set_Item"),
];

/// Interfaces and the collection that stands for them; the element type is the same.
const INTERFACES: &[(&str, &str)] = &[
    ("System.Collections.Generic.IEnumerable`1", LIST),
    ("System.Collections.Generic.ICollection`1", LIST),
    ("System.Collections.Generic.IList`1", LIST),
    ("System.Collections.Generic.IReadOnlyCollection`1", LIST),
    ("System.Collections.Generic.IReadOnlyList`1", LIST),
    ("System.Collections.Generic.ISet`1", "System.Collections.Generic.HashSet`1"),
    ("System.Collections.Generic.IDictionary`2", "System.Collections.Generic.Dictionary`2"),
    ("System.Collections.Generic.IReadOnlyDictionary`2", "System.Collections.Generic.Dictionary`2"),
];

impl Machine {
    pub fn is_list(&self, ty: TypeId) -> bool {
        self.definition_name(ty) == LIST
    }

    pub(crate) fn is_filled(&self, ty: TypeId) -> bool {
        let name = self.definition_name(ty);
        FILLED.iter().any(|(collection, _)| *collection == name)
    }

    /// Collections that implement an interface of the framework.
    pub(crate) fn standard_collections(&self, ty: TypeId) -> Result<Vec<TypeId>, Gap> {
        let name = self.definition_name(ty);
        if name == "System.Array" {
            return self.usual_arrays();
        }
        let Some((_, collection)) = INTERFACES.iter().find(|(interface, _)| *interface == name) else {
            return Ok(Vec::new());
        };
        let arguments = self.universe.type_args(ty);
        let mut found = Vec::new();
        if *collection == LIST
            && let [element] = arguments
        {
            found.push(self.universe.make_sz_array(*element)?);
        }
        if let Some(definition) = self.framework_type(collection)? {
            found.push(self.universe.make_instance(definition, arguments)?);
        }
        Ok(found)
    }

    /// What stands behind a reference that may be any array.
    fn usual_arrays(&self) -> Result<Vec<TypeId>, Gap> {
        let (universe, known) = (&self.universe, self.universe.well_known()?);
        let vectors =
            [known.int32, known.string, known.object].map(|element| universe.make_sz_array(element));
        let mut found = vectors.into_iter().collect::<Result<Vec<_>, _>>()?;
        found.push(universe.make_array(known.int32, 2)?);
        Ok(found)
    }

    pub(super) fn framework_type(&self, name: &str) -> Result<Option<TypeId>, Gap> {
        let universe = &self.universe;
        if let Some(found) = universe.find_type(universe.corelib()?, name)? {
            return Ok(Some(found));
        }
        match universe.load_by_name("System.Collections")? {
            Some(assembly) => Ok(universe.find_type(assembly, name)?),
            None => Ok(None),
        }
    }

    pub(super) fn definition_name(&self, ty: TypeId) -> String {
        self.universe.type_name(self.universe.definition(ty))
    }

    /// A list over an array of its own, full to its capacity.
    pub(crate) fn make_list(
        &mut self,
        s: &mut State,
        ty: TypeId,
        items: Symbol,
        array: TypeId,
    ) -> Result<BlockId, Gap> {
        let backing = self.materialize(s, items, array)?;
        let length = s.heap.get(backing).and_then(|b| b.bytes.read(0, 4, &mut self.terms).ok());
        let size = self.universe.layout(ty)?.size.max(1) as usize;
        let mut bytes = Bytes::zeroed(size);
        let universe = Rc::clone(&self.universe);
        let offset = |name: &str| -> Result<usize, Gap> {
            match universe.find_field(ty, name)? {
                Some(field) => Ok(universe.field_offset(field)? as usize),
                None => Err(Gap::unsupported_input("the lists of this runtime")),
            }
        };
        let (items, count) = (offset("_items")?, offset("_size")?);
        let length = length.unwrap_or(Bits::Concrete(0));
        let written = bytes
            .write(items, 8, Bits::Concrete(backing.address()), &mut self.terms)
            .and_then(|()| bytes.write(count, 4, length, &mut self.terms));
        written.map_err(|_| Gap::internal_error("a list of another size"))?;
        Ok(s.heap.allocate(BlockKind::Object(ty), bytes))
    }

    /// Starts to fill a collection; the interrupted instruction runs again when it is there.
    pub fn fill(&mut self, s: &mut State, symbol: Symbol, ty: TypeId, count: u32) -> Step<()> {
        let contents = self.contents(symbol, ty).map_err(|gap| give_up(s, gap))?;
        let Contents::Filled { items, .. } = &*contents else {
            return Err(give_up(s, Gap::internal_error("no collection to fill")));
        };
        let inputs: Vec<Input> = items.iter().take(count as usize).flatten().cloned().collect();
        let code = self.filling_code(ty, &inputs).map_err(|gap| give_up(s, gap))?;
        let values = inputs.iter().map(|input| self.input_value(input)).collect::<Result<Vec<Value>, _>>();
        let values = values.map_err(|gap| give_up(s, gap))?;
        let frame = self.frame(s, Rc::new(code), values, OnReturn::Built { symbol, count })?;
        s.push_frame(frame);
        Ok(())
    }

    /// The symbols of the items, each with its key if there is one.
    pub(crate) fn filled_contents(&mut self, ty: TypeId, path: &str) -> Result<Contents, Gap> {
        let arguments = self.universe.type_args(ty).to_vec();
        let mut items = Vec::new();
        for number in 0..MAX_ITEMS {
            let mut item = Vec::new();
            for (position, &argument) in arguments.iter().enumerate() {
                let part = if position + 1 < arguments.len() { "key" } else { "item" };
                item.push(self.make_input(argument, &format!("{path}.{part}{number}"), 0)?);
            }
            items.push(item);
        }
        Ok(Contents::Filled { ty, items })
    }

    /// `new C()`, then one call for each item.
    fn filling_code(&mut self, ty: TypeId, inputs: &[Input]) -> Result<Code, Gap> {
        let universe = Rc::clone(&self.universe);
        let arguments = universe.type_args(ty).to_vec();
        let Some(constructor) = universe.find_method(ty, ".ctor", &[])? else { return Err(unknown()) };
        let name = self.definition_name(ty);
        let adder = FILLED.iter().find(|(collection, _)| *collection == name).map_or("Add", |(_, add)| add);
        let Some(add) = universe.find_method(ty, adder, &arguments)? else { return Err(unknown()) };
        let mut made = MadeCode::new(&universe, constructor, Some(Repr::Ref));
        for input in inputs {
            let ty = crate::inputs::input_type(input);
            made.argument(ty, repr_of(&universe, ty)?);
        }
        let has_result = universe.primitive(universe.signature(add)?.ret) != Some(Primitive::Void);
        let (constructor, add) = (made.call(&universe, constructor)?, made.call(&universe, add)?);
        let ops = &mut made.ops;
        ops.push(Op::NewObj(constructor));
        for first in (0..inputs.len()).step_by(arguments.len().max(1)) {
            ops.push(Op::Dup);
            ops.extend((first..first + arguments.len()).map(|var| Op::LdVar(var as u32)));
            ops.push(Op::Call(add));
            if has_result {
                ops.push(Op::Pop);
            }
        }
        ops.push(Op::Ret);
        Ok(made.finish())
    }
}

fn unknown() -> Gap {
    Gap::unsupported_input("the collections of this runtime")
}
