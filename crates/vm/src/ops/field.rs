//! Fields of objects, of value types on the stack, and static fields.

use std::rc::Rc;

use crate::bytes::OutOfBounds;
use crate::code::{Code, FieldSite};
use crate::heap::{Sharing, split_address};
use crate::machine::{Flow, Machine, Step, give_up, peek, pop, push, unsupported};
use crate::shared_memory::Read;
use crate::state::State;
use crate::touched_statics::Touch;
use crate::value::{Repr, Value};
use verdict::Gap;

impl Machine {
    pub fn ldfld(&mut self, s: &mut State, code: &Code, index: u32) -> Step {
        let site = field_site(s, code, index)?;
        if site.owner_is_value_type && !matches!(peek(s, 0)?, Value::I64(_) | Value::Term(_)) {
            return self.ldfld_of_value(s, site);
        }
        let Some(address) = self.address(s, 0)? else { return self.null_reference(s) };
        let place = address + u64::from(site.offset);
        let (block, _) = split_address(place);
        let is_shared = s.heap.sharing(block) == Sharing::Static && !site.readonly;
        let is_opened = is_shared && self.explores() && self.open_shared(s, site, place)?;
        let mut value = self.load(s, place, site.repr)?;
        if s.heap.sharing(block) == Sharing::Input {
            self.note_looked_at(s, place);
        }
        if !is_opened {
            let (is_readonly, field) = (site.readonly, Some(site.field));
            let read = Read { address: place, is_readonly, repr: site.repr, field };
            value = self.read_by(s, read, value);
        }
        pop(s)?;
        push(s, value)
    }

    fn ldfld_of_value(&mut self, s: &mut State, site: FieldSite) -> Step {
        let value = match pop(s)? {
            Value::Struct(bytes) => {
                let offset = site.offset as usize;
                match site.repr {
                    Repr::Struct { size } => match bytes.slice(offset, size as usize, &mut self.terms) {
                        Ok(inner) => Value::Struct(Rc::new(inner)),
                        Err(OutOfBounds) => return Err(out_of_field(s)),
                    },
                    repr => match bytes.read(offset, repr.size() as usize, &mut self.terms) {
                        Ok(bits) => self.widen(bits, repr),
                        Err(OutOfBounds) => return Err(out_of_field(s)),
                    },
                }
            }
            // A primitive's own field, such as `m_value` of an Int32.
            scalar => scalar,
        };
        push(s, value)
    }

    pub fn ldflda(&mut self, s: &mut State, code: &Code, index: u32) -> Step {
        let site = field_site(s, code, index)?;
        let Some(address) = self.address(s, 0)? else { return self.null_reference(s) };
        pop(s)?;
        if s.heap.sharing(split_address(address).0) == Sharing::Input {
            self.note_looked_at(s, address + u64::from(site.offset));
        }
        push(s, Value::address(address + u64::from(site.offset)))
    }

    pub fn stfld(&mut self, s: &mut State, code: &Code, index: u32) -> Step {
        let site = field_site(s, code, index)?;
        let Some(address) = self.address(s, 1)? else { return self.null_reference(s) };
        let value = pop(s)?;
        pop(s)?;
        self.note_stored(s, address, &value);
        self.store(s, address + u64::from(site.offset), site.repr, value)?;
        self.note_write(s, address + u64::from(site.offset));
        Ok(Flow::Next)
    }

    /// The object is evaluated and forgotten; a static constructor may have to run first.
    pub(crate) fn static_by_instance(
        &mut self,
        s: &mut State,
        code: &Code,
        index: u32,
        load: fn(&mut Machine, &mut State, &Code, u32) -> Step,
    ) -> Step {
        let site = field_site(s, code, index)?;
        if self.static_address(s, site)?.is_none() {
            return Ok(Flow::Reload);
        }
        pop(s)?;
        load(self, s, code, index)
    }

    pub(crate) fn stfld_static(&mut self, s: &mut State, code: &Code, index: u32) -> Step {
        let site = field_site(s, code, index)?;
        if self.static_address(s, site)?.is_none() {
            return Ok(Flow::Reload);
        }
        let value = pop(s)?;
        pop(s)?;
        s.top.stack.push(value);
        self.stsfld(s, code, index)
    }

    pub fn ldsfld(&mut self, s: &mut State, code: &Code, index: u32) -> Step {
        let site = field_site(s, code, index)?;
        let Some(address) = self.static_address(s, site)? else { return Ok(Flow::Reload) };
        self.note_static_read(s, site);
        self.note_framework_field(s, site.field);
        self.open_static(s, site, address)?;
        self.touch_static(s, site, address, Touch::Read)?;
        let value = self.load(s, address, site.repr)?;
        let value = self.read_static_by(s, site, address, value);
        self.note_static_value(s, site, &value);
        push(s, value)
    }

    pub fn ldsflda(&mut self, s: &mut State, code: &Code, index: u32) -> Step {
        let site = field_site(s, code, index)?;
        let Some(address) = self.static_address(s, site)? else { return Ok(Flow::Reload) };
        self.note_static_read(s, site);
        self.open_static(s, site, address)?;
        self.note_static_address(s, site, address);
        self.touch_static(s, site, address, Touch::Expose)?;
        push(s, Value::address(address))
    }

    pub fn stsfld(&mut self, s: &mut State, code: &Code, index: u32) -> Step {
        let site = field_site(s, code, index)?;
        let Some(address) = self.static_address(s, site)? else { return Ok(Flow::Reload) };
        self.touch_static(s, site, address, Touch::Write)?;
        let value = pop(s)?;
        self.note_stored_static(s, site, address, &value);
        self.store(s, address, site.repr, value)?;
        self.note_static_write(s, site);
        Ok(Flow::Next)
    }
}

fn field_site(s: &State, code: &Code, index: u32) -> Step<FieldSite> {
    match code.fields.get(index as usize) {
        Some(site) => Ok(*site),
        None => Err(give_up(s, Gap::internal_error("a lost field operand"))),
    }
}

fn out_of_field(s: &State) -> Box<crate::stop::Stop> {
    unsupported(s, "a field outside of its value type")
}
