//! What models keep in a state or in a machine, one value of each type: the machine itself does not know what it is.

use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

/// Values by their type. A copy shares them until one side changes its own.
#[derive(Clone, Default)]
pub struct Attached(Vec<(TypeId, Rc<dyn Attachment>)>);

/// Anything that can be copied when a state forks.
trait Attachment {
    fn copy(&self) -> Rc<dyn Attachment>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<T: Clone + 'static> Attachment for T {
    fn copy(&self) -> Rc<dyn Attachment> {
        Rc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl Attached {
    /// The value of this type; its default if nobody has changed it yet.
    pub fn get<T: Clone + Default + 'static>(&self) -> Cow<'_, T> {
        let found = self.0.iter().find(|(ty, _)| *ty == TypeId::of::<T>());
        match found.and_then(|(_, value)| (**value).as_any().downcast_ref()) {
            Some(value) => Cow::Borrowed(value),
            None => Cow::Owned(T::default()),
        }
    }

    /// Whether nobody has changed anything since one was copied from the other, which is still there.
    pub(crate) fn is_same(&self, other: &Attached) -> bool {
        let pairs = || self.0.iter().zip(&other.0);
        self.0.len() == other.0.len() && pairs().all(|((a, x), (b, y))| a == b && Rc::ptr_eq(x, y))
    }

    /// The value of this type, to be changed; it starts as its default.
    pub fn get_mut<T: Clone + Default + 'static>(&mut self) -> &mut T {
        let at = self.0.iter().position(|(ty, _)| *ty == TypeId::of::<T>());
        let at = at.unwrap_or_else(|| {
            self.0.push((TypeId::of::<T>(), Rc::new(T::default())));
            self.0.len() - 1
        });
        let slot = &mut self.0[at].1;
        if Rc::get_mut(slot).is_none() {
            *slot = (**slot).copy();
        }
        let value = Rc::get_mut(slot).and_then(|value| value.as_any_mut().downcast_mut());
        value.unwrap_or_else(|| unreachable!("a value is found by its own type and was just made unique"))
    }
}

impl fmt::Debug for Attached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} attached values", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_go_their_own_ways() {
        let mut first = Attached::default();
        first.get_mut::<Vec<u8>>().push(1);
        let mut second = first.clone();
        second.get_mut::<Vec<u8>>().push(2);
        *second.get_mut::<u32>() = 7;
        assert_eq!(*first.get::<Vec<u8>>(), [1]);
        assert_eq!(*second.get::<Vec<u8>>(), [1, 2]);
        assert_eq!((*first.get::<u32>(), *second.get::<u32>()), (0, 7));
    }
}
