//! Dense identities of the universe's entities.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// Dense index, good for side tables.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// An assembly of the universe, in the order of loading.
    AssemblyId
);
id!(
    /// An interned instantiated type: two equal types have the same id.
    TypeId
);
id!(
    /// An interned instantiated method.
    MethodId
);
id!(
    /// An interned field of an instantiated type.
    FieldId
);
