//! The types of the core library that metadata refers to by element types, and those the rules of the language name.

use cil::TypeSig;

use crate::{AssemblyId, Error, Result, TypeId, Universe};

macro_rules! well_known {
    ($($field:ident = $name:literal,)* ; $($optional:ident = $optional_name:literal,)*) => {
        /// Ids of types of the core library; those that some runtime lacks are optional.
        #[derive(Debug, Clone)]
        pub struct WellKnown {
            $(pub $field: TypeId,)*
            $(pub $optional: Option<TypeId>,)*
        }

        impl WellKnown {
            fn load(universe: &Universe, core: AssemblyId) -> Result<WellKnown> {
                Ok(WellKnown {
                    $($field: required(universe, core, $name)?,)*
                    $($optional: universe.find_type(core, $optional_name)?,)*
                })
            }
        }
    };
}

well_known! {
    object = "System.Object",
    string = "System.String",
    void = "System.Void",
    boolean = "System.Boolean",
    char = "System.Char",
    sbyte = "System.SByte",
    byte = "System.Byte",
    int16 = "System.Int16",
    uint16 = "System.UInt16",
    int32 = "System.Int32",
    uint32 = "System.UInt32",
    int64 = "System.Int64",
    uint64 = "System.UInt64",
    single = "System.Single",
    double = "System.Double",
    intptr = "System.IntPtr",
    uintptr = "System.UIntPtr",
    value_type = "System.ValueType",
    enum_ = "System.Enum",
    exception = "System.Exception",
    array = "System.Array",
    delegate = "System.Delegate",
    multicast_delegate = "System.MulticastDelegate",
    nullable_def = "System.Nullable`1",
    type_ = "System.Type",
    ;
    typed_reference = "System.TypedReference",
    decimal = "System.Decimal",
    runtime_type_handle = "System.RuntimeTypeHandle",
    runtime_method_handle = "System.RuntimeMethodHandle",
    runtime_field_handle = "System.RuntimeFieldHandle",
    runtime_argument_handle = "System.RuntimeArgumentHandle",
    span_def = "System.Span`1",
    read_only_span_def = "System.ReadOnlySpan`1",
    ilist_def = "System.Collections.Generic.IList`1",
    icollection_def = "System.Collections.Generic.ICollection`1",
    ienumerable_def = "System.Collections.Generic.IEnumerable`1",
    iread_only_list_def = "System.Collections.Generic.IReadOnlyList`1",
    iread_only_collection_def = "System.Collections.Generic.IReadOnlyCollection`1",
    sz_array_helper = "System.SZArrayHelper",
    divide_by_zero_exception = "System.DivideByZeroException",
    overflow_exception = "System.OverflowException",
    arithmetic_exception = "System.ArithmeticException",
    null_reference_exception = "System.NullReferenceException",
    index_out_of_range_exception = "System.IndexOutOfRangeException",
    invalid_cast_exception = "System.InvalidCastException",
    array_type_mismatch_exception = "System.ArrayTypeMismatchException",
    out_of_memory_exception = "System.OutOfMemoryException",
    stack_overflow_exception = "System.StackOverflowException",
    execution_engine_exception = "System.ExecutionEngineException",
    invalid_program_exception = "System.InvalidProgramException",
    type_initialization_exception = "System.TypeInitializationException",
    type_load_exception = "System.TypeLoadException",
    missing_method_exception = "System.MissingMethodException",
    missing_field_exception = "System.MissingFieldException",
    entry_point_not_found_exception = "System.EntryPointNotFoundException",
    ambiguous_implementation_exception = "System.Runtime.AmbiguousImplementationException",
}

impl WellKnown {
    /// The type behind an element type that needs no token.
    pub(crate) fn of_sig(&self, sig: &TypeSig) -> Option<TypeId> {
        Some(match sig {
            TypeSig::Void => self.void,
            TypeSig::Boolean => self.boolean,
            TypeSig::Char => self.char,
            TypeSig::I1 => self.sbyte,
            TypeSig::U1 => self.byte,
            TypeSig::I2 => self.int16,
            TypeSig::U2 => self.uint16,
            TypeSig::I4 => self.int32,
            TypeSig::U4 => self.uint32,
            TypeSig::I8 => self.int64,
            TypeSig::U8 => self.uint64,
            TypeSig::R4 => self.single,
            TypeSig::R8 => self.double,
            TypeSig::IntPtr => self.intptr,
            TypeSig::UIntPtr => self.uintptr,
            TypeSig::String => self.string,
            TypeSig::Object => self.object,
            TypeSig::TypedReference => self.typed_reference?,
            _ => return None,
        })
    }
}

impl Universe {
    pub fn well_known(&self) -> Result<&WellKnown> {
        self.well_known.get(|| Error::NoCoreLibrary, || WellKnown::load(self, self.corelib()?))
    }
}

fn required(universe: &Universe, core: AssemblyId, name: &str) -> Result<TypeId> {
    universe.find_type(core, name)?.ok_or_else(|| Error::MissingType {
        name: name.into(),
        assembly: universe.assembly(core).name().into(),
        full_name: universe.assembly_name(core).into(),
    })
}
