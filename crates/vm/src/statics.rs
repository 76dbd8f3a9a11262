//! Static fields: where they live and when their type is initialized.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use types::{FieldId, TypeId};

use crate::bytes::Bytes;
use crate::code::FieldSite;
use crate::decode::repr_of;
use crate::heap::BlockKind;
use crate::machine::{Callee, Machine, Step, give_up};
use crate::state::{InitStatus, OnReturn, State, StaticEntry};
use crate::stop::Reason;

/// Offsets of a type's static fields in their block.
#[derive(Debug, Default)]
pub struct StaticLayout {
    size: u32,
    offsets: FxHashMap<FieldId, u32>,
}

impl Machine {
    /// The address of a static field, or `None` if a static constructor (or the exception of a failed one) has to run
    /// before the instruction is tried again.
    pub(crate) fn static_address(&mut self, s: &mut State, site: FieldSite) -> Step<Option<u64>> {
        if self.universe.field(site.field).has_rva() {
            return self.image_data(s, site.field, site.repr.size()).map(Some);
        }
        if site.init && !self.ensure_initialized(s, site.owner)? {
            return Ok(None);
        }
        let layout = self.static_layout(s, site.owner)?;
        let entry = s.statics.get(site.owner);
        let block = match entry.block {
            Some(block) => block,
            None => {
                let bytes = Bytes::zeroed(layout.size as usize);
                let block = s.heap.allocate(BlockKind::Statics(site.owner), bytes);
                s.statics.set(site.owner, StaticEntry { block: Some(block), ..entry });
                block
            }
        };
        match layout.offsets.get(&site.field) {
            Some(offset) => Ok(Some(block.address() + u64::from(*offset))),
            None => Err(give_up(s, Reason::InternalError("a static field without a place".into()))),
        }
    }

    /// Whether the type is ready. If not, the frame that makes it ready has been pushed.
    pub(crate) fn ensure_initialized(&mut self, s: &mut State, ty: TypeId) -> Step<bool> {
        match s.statics.get(ty).status {
            // A type being initialized is visible to its own initializer.
            InitStatus::Done | InitStatus::Running => return Ok(true),
            InitStatus::Failed(exception) => {
                let place = s.place();
                self.raise(s, exception, place)?;
                return Ok(false);
            }
            InitStatus::NotStarted => {}
        }
        let constructor = match self.universe.static_constructor(ty) {
            Ok(constructor) => constructor,
            Err(error) => return Err(give_up(s, error.into())),
        };
        let Some(constructor) = constructor else {
            s.statics.set_status(ty, InitStatus::Done);
            return Ok(true);
        };
        s.statics.set_status(ty, InitStatus::Running);
        match self.callee(constructor) {
            Callee::Code(code) => {
                let frame = self.frame(s, code, Vec::new(), OnReturn::Initialized(ty))?;
                s.push_frame(frame);
                Ok(false)
            }
            Callee::Model(_) | Callee::Delegate | Callee::Array(_) => Ok(true),
            Callee::Missing(reason) => Err(give_up(s, reason)),
        }
    }

    fn static_layout(&mut self, s: &State, ty: TypeId) -> Step<Rc<StaticLayout>> {
        if let Some(layout) = self.static_layouts.get(&ty) {
            return Ok(Rc::clone(layout));
        }
        let layout = self.make_static_layout(ty).map_err(|reason| give_up(s, reason))?;
        let layout = Rc::new(layout);
        self.static_layouts.insert(ty, Rc::clone(&layout));
        Ok(layout)
    }

    fn make_static_layout(&self, ty: TypeId) -> Result<StaticLayout, Reason> {
        let mut layout = StaticLayout::default();
        for &field in self.universe.fields(ty)? {
            let info = self.universe.field(field);
            if !info.is_static() || info.is_literal() || info.has_rva() {
                continue;
            }
            let size = repr_of(&self.universe, self.universe.field_type(field)?)?.size();
            layout.offsets.insert(field, layout.size);
            layout.size += size.next_multiple_of(8).max(8);
        }
        Ok(layout)
    }

    /// Data of the image, copied into the state once per field.
    pub(crate) fn image_data(&mut self, s: &mut State, field: FieldId, len: u32) -> Step<u64> {
        if let Some(block) = s.image_data.get(&field) {
            return Ok(block.address());
        }
        let data = match self.universe.field_data(field) {
            Ok(Some(data)) => data.to_vec(),
            Ok(None) => vec![0; len as usize],
            Err(error) => return Err(give_up(s, error.into())),
        };
        let block = s.heap.allocate(BlockKind::ImageData, Bytes::from_vec(data));
        Rc::make_mut(&mut s.image_data).insert(field, block);
        Ok(block.address())
    }
}
