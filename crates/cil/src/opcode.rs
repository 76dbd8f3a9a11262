//! The one list of CIL opcodes (ECMA-335 III). Decoder, printer and stack effects are derived from it.

/// What follows the opcode in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandKind {
    None,
    Int8,
    Int32,
    Int64,
    Float32,
    Float64,
    /// An argument number of one byte, or of two.
    ShortArg,
    Arg,
    /// A local variable number of one byte, or of two.
    ShortLocal,
    Local,
    /// A branch distance of one byte, or of four.
    ShortTarget,
    Target,
    Switch,
    /// Tokens, by what they must name.
    Method,
    Field,
    Type,
    String,
    Signature,
    Token,
}

/// A slot of the evaluation stack, as precisely as the opcode alone says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StackSlot {
    Any,
    /// int32, native int or a managed pointer.
    I,
    I8,
    R4,
    R8,
    Ref,
}

/// Where execution goes after the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flow {
    Next,
    Branch,
    ConditionalBranch,
    Call,
    /// Leaves the method, a finally block or a filter.
    Return,
    Throw,
    /// Modifies the instruction that follows.
    Prefix,
    /// A debugger break; goes on.
    Break,
}

struct Description {
    mnemonic: &'static str,
    operand: OperandKind,
    pops: Option<&'static [StackSlot]>,
    pushes: Option<&'static [StackSlot]>,
    flow: Flow,
}

macro_rules! stack {
    (var) => { None };
    ([$($slot:ident),*]) => { Some(&[$(StackSlot::$slot),*]) };
}

macro_rules! opcodes {
    ($($code:literal $Name:ident $mnemonic:literal $operand:ident $pops:tt -> $pushes:tt $flow:ident;)*) => {
        /// Every opcode; the number is its encoding (two-byte opcodes begin with `0xfe`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Opcode { $(#[doc = concat!("`", $mnemonic, "`")] $Name = $code,)* }

        impl Opcode {
            pub const ALL: &'static [Opcode] = &[$(Opcode::$Name,)*];

            #[inline]
            pub const fn from_code(code: u16) -> Option<Opcode> {
                match code {
                    $($code => Some(Opcode::$Name),)*
                    _ => None,
                }
            }

            #[inline]
            const fn describe(self) -> &'static Description {
                match self {
                    $(Opcode::$Name => &Description {
                        mnemonic: $mnemonic,
                        operand: OperandKind::$operand,
                        pops: stack!($pops),
                        pushes: stack!($pushes),
                        flow: Flow::$flow,
                    },)*
                }
            }
        }
    };
}

impl Opcode {
    /// The encoding: one byte, or `0xfe` and one byte.
    pub const fn code(self) -> u16 {
        self as u16
    }

    /// The bytes of the opcode itself, 1 or 2.
    pub const fn size(self) -> u32 {
        if self.code() > 0xff { 2 } else { 1 }
    }

    /// As IL assembler writes it.
    pub const fn name(self) -> &'static str {
        self.describe().mnemonic
    }

    #[inline]
    pub const fn operand_kind(self) -> OperandKind {
        self.describe().operand
    }

    pub const fn flow(self) -> Flow {
        self.describe().flow
    }

    /// What it takes from the stack, deepest first; `None` if that depends on a signature.
    pub const fn pops(self) -> Option<&'static [StackSlot]> {
        self.describe().pops
    }

    /// What it leaves on the stack; `None` if that depends on a signature.
    pub const fn pushes(self) -> Option<&'static [StackSlot]> {
        self.describe().pushes
    }
}

#[rustfmt::skip]
opcodes! {
//  code   name           mnemonic         operand     pops             pushes     flow
    0x00   Nop            "nop"            None        []            -> []         Next;
    0x01   Break          "break"          None        []            -> []         Break;
    0x02   Ldarg0         "ldarg.0"        None        []            -> [Any]      Next;
    0x03   Ldarg1         "ldarg.1"        None        []            -> [Any]      Next;
    0x04   Ldarg2         "ldarg.2"        None        []            -> [Any]      Next;
    0x05   Ldarg3         "ldarg.3"        None        []            -> [Any]      Next;
    0x06   Ldloc0         "ldloc.0"        None        []            -> [Any]      Next;
    0x07   Ldloc1         "ldloc.1"        None        []            -> [Any]      Next;
    0x08   Ldloc2         "ldloc.2"        None        []            -> [Any]      Next;
    0x09   Ldloc3         "ldloc.3"        None        []            -> [Any]      Next;
    0x0a   Stloc0         "stloc.0"        None        [Any]         -> []         Next;
    0x0b   Stloc1         "stloc.1"        None        [Any]         -> []         Next;
    0x0c   Stloc2         "stloc.2"        None        [Any]         -> []         Next;
    0x0d   Stloc3         "stloc.3"        None        [Any]         -> []         Next;
    0x0e   LdargS         "ldarg.s"        ShortArg    []            -> [Any]      Next;
    0x0f   LdargaS        "ldarga.s"       ShortArg    []            -> [I]        Next;
    0x10   StargS         "starg.s"        ShortArg    [Any]         -> []         Next;
    0x11   LdlocS         "ldloc.s"        ShortLocal  []            -> [Any]      Next;
    0x12   LdlocaS        "ldloca.s"       ShortLocal  []            -> [I]        Next;
    0x13   StlocS         "stloc.s"        ShortLocal  [Any]         -> []         Next;
    0x14   Ldnull         "ldnull"         None        []            -> [Ref]      Next;
    0x15   LdcI4M1        "ldc.i4.m1"      None        []            -> [I]        Next;
    0x16   LdcI40         "ldc.i4.0"       None        []            -> [I]        Next;
    0x17   LdcI41         "ldc.i4.1"       None        []            -> [I]        Next;
    0x18   LdcI42         "ldc.i4.2"       None        []            -> [I]        Next;
    0x19   LdcI43         "ldc.i4.3"       None        []            -> [I]        Next;
    0x1a   LdcI44         "ldc.i4.4"       None        []            -> [I]        Next;
    0x1b   LdcI45         "ldc.i4.5"       None        []            -> [I]        Next;
    0x1c   LdcI46         "ldc.i4.6"       None        []            -> [I]        Next;
    0x1d   LdcI47         "ldc.i4.7"       None        []            -> [I]        Next;
    0x1e   LdcI48         "ldc.i4.8"       None        []            -> [I]        Next;
    0x1f   LdcI4S         "ldc.i4.s"       Int8        []            -> [I]        Next;
    0x20   LdcI4          "ldc.i4"         Int32       []            -> [I]        Next;
    0x21   LdcI8          "ldc.i8"         Int64       []            -> [I8]       Next;
    0x22   LdcR4          "ldc.r4"         Float32     []            -> [R4]       Next;
    0x23   LdcR8          "ldc.r8"         Float64     []            -> [R8]       Next;
    0x25   Dup            "dup"            None        [Any]         -> [Any, Any] Next;
    0x26   Pop            "pop"            None        [Any]         -> []         Next;
    0x27   Jmp            "jmp"            Method      []            -> []         Call;
    0x28   Call           "call"           Method      var           -> var        Call;
    0x29   Calli          "calli"          Signature   var           -> var        Call;
    0x2a   Ret            "ret"            None        var           -> []         Return;
    0x2b   BrS            "br.s"           ShortTarget []            -> []         Branch;
    0x2c   BrfalseS       "brfalse.s"      ShortTarget [I]           -> []         ConditionalBranch;
    0x2d   BrtrueS        "brtrue.s"       ShortTarget [I]           -> []         ConditionalBranch;
    0x2e   BeqS           "beq.s"          ShortTarget [Any, Any]    -> []         ConditionalBranch;
    0x2f   BgeS           "bge.s"          ShortTarget [Any, Any]    -> []         ConditionalBranch;
    0x30   BgtS           "bgt.s"          ShortTarget [Any, Any]    -> []         ConditionalBranch;
    0x31   BleS           "ble.s"          ShortTarget [Any, Any]    -> []         ConditionalBranch;
    0x32   BltS           "blt.s"          ShortTarget [Any, Any]    -> []         ConditionalBranch;
    0x33   BneUnS         "bne.un.s"       ShortTarget [Any, Any]    -> []         ConditionalBranch;
    0x34   BgeUnS         "bge.un.s"       ShortTarget [Any, Any]    -> []         ConditionalBranch;
    0x35   BgtUnS         "bgt.un.s"       ShortTarget [Any, Any]    -> []         ConditionalBranch;
    0x36   BleUnS         "ble.un.s"       ShortTarget [Any, Any]    -> []         ConditionalBranch;
    0x37   BltUnS         "blt.un.s"       ShortTarget [Any, Any]    -> []         ConditionalBranch;
    0x38   Br             "br"             Target      []            -> []         Branch;
    0x39   Brfalse        "brfalse"        Target      [I]           -> []         ConditionalBranch;
    0x3a   Brtrue         "brtrue"         Target      [I]           -> []         ConditionalBranch;
    0x3b   Beq            "beq"            Target      [Any, Any]    -> []         ConditionalBranch;
    0x3c   Bge            "bge"            Target      [Any, Any]    -> []         ConditionalBranch;
    0x3d   Bgt            "bgt"            Target      [Any, Any]    -> []         ConditionalBranch;
    0x3e   Ble            "ble"            Target      [Any, Any]    -> []         ConditionalBranch;
    0x3f   Blt            "blt"            Target      [Any, Any]    -> []         ConditionalBranch;
    0x40   BneUn          "bne.un"         Target      [Any, Any]    -> []         ConditionalBranch;
    0x41   BgeUn          "bge.un"         Target      [Any, Any]    -> []         ConditionalBranch;
    0x42   BgtUn          "bgt.un"         Target      [Any, Any]    -> []         ConditionalBranch;
    0x43   BleUn          "ble.un"         Target      [Any, Any]    -> []         ConditionalBranch;
    0x44   BltUn          "blt.un"         Target      [Any, Any]    -> []         ConditionalBranch;
    0x45   Switch         "switch"         Switch      [I]           -> []         ConditionalBranch;
    0x46   LdindI1        "ldind.i1"       None        [I]           -> [I]        Next;
    0x47   LdindU1        "ldind.u1"       None        [I]           -> [I]        Next;
    0x48   LdindI2        "ldind.i2"       None        [I]           -> [I]        Next;
    0x49   LdindU2        "ldind.u2"       None        [I]           -> [I]        Next;
    0x4a   LdindI4        "ldind.i4"       None        [I]           -> [I]        Next;
    0x4b   LdindU4        "ldind.u4"       None        [I]           -> [I]        Next;
    0x4c   LdindI8        "ldind.i8"       None        [I]           -> [I8]       Next;
    0x4d   LdindI         "ldind.i"        None        [I]           -> [I]        Next;
    0x4e   LdindR4        "ldind.r4"       None        [I]           -> [R4]       Next;
    0x4f   LdindR8        "ldind.r8"       None        [I]           -> [R8]       Next;
    0x50   LdindRef       "ldind.ref"      None        [I]           -> [Ref]      Next;
    0x51   StindRef       "stind.ref"      None        [I, Ref]      -> []         Next;
    0x52   StindI1        "stind.i1"       None        [I, I]        -> []         Next;
    0x53   StindI2        "stind.i2"       None        [I, I]        -> []         Next;
    0x54   StindI4        "stind.i4"       None        [I, I]        -> []         Next;
    0x55   StindI8        "stind.i8"       None        [I, I8]       -> []         Next;
    0x56   StindR4        "stind.r4"       None        [I, R4]       -> []         Next;
    0x57   StindR8        "stind.r8"       None        [I, R8]       -> []         Next;
    0x58   Add            "add"            None        [Any, Any]    -> [Any]      Next;
    0x59   Sub            "sub"            None        [Any, Any]    -> [Any]      Next;
    0x5a   Mul            "mul"            None        [Any, Any]    -> [Any]      Next;
    0x5b   Div            "div"            None        [Any, Any]    -> [Any]      Next;
    0x5c   DivUn          "div.un"         None        [Any, Any]    -> [Any]      Next;
    0x5d   Rem            "rem"            None        [Any, Any]    -> [Any]      Next;
    0x5e   RemUn          "rem.un"         None        [Any, Any]    -> [Any]      Next;
    0x5f   And            "and"            None        [Any, Any]    -> [Any]      Next;
    0x60   Or             "or"             None        [Any, Any]    -> [Any]      Next;
    0x61   Xor            "xor"            None        [Any, Any]    -> [Any]      Next;
    0x62   Shl            "shl"            None        [Any, Any]    -> [Any]      Next;
    0x63   Shr            "shr"            None        [Any, Any]    -> [Any]      Next;
    0x64   ShrUn          "shr.un"         None        [Any, Any]    -> [Any]      Next;
    0x65   Neg            "neg"            None        [Any]         -> [Any]      Next;
    0x66   Not            "not"            None        [Any]         -> [Any]      Next;
    0x67   ConvI1         "conv.i1"        None        [Any]         -> [I]        Next;
    0x68   ConvI2         "conv.i2"        None        [Any]         -> [I]        Next;
    0x69   ConvI4         "conv.i4"        None        [Any]         -> [I]        Next;
    0x6a   ConvI8         "conv.i8"        None        [Any]         -> [I8]       Next;
    0x6b   ConvR4         "conv.r4"        None        [Any]         -> [R4]       Next;
    0x6c   ConvR8         "conv.r8"        None        [Any]         -> [R8]       Next;
    0x6d   ConvU4         "conv.u4"        None        [Any]         -> [I]        Next;
    0x6e   ConvU8         "conv.u8"        None        [Any]         -> [I8]       Next;
    0x6f   Callvirt       "callvirt"       Method      var           -> var        Call;
    0x70   Cpobj          "cpobj"          Type        [I, I]        -> []         Next;
    0x71   Ldobj          "ldobj"          Type        [I]           -> [Any]      Next;
    0x72   Ldstr          "ldstr"          String      []            -> [Ref]      Next;
    0x73   Newobj         "newobj"         Method      var           -> [Any]      Call;
    0x74   Castclass      "castclass"      Type        [Ref]         -> [Ref]      Next;
    0x75   Isinst         "isinst"         Type        [Ref]         -> [Ref]      Next;
    0x76   ConvRUn        "conv.r.un"      None        [Any]         -> [R8]       Next;
    0x79   Unbox          "unbox"          Type        [Ref]         -> [I]        Next;
    0x7a   Throw          "throw"          None        [Ref]         -> []         Throw;
    0x7b   Ldfld          "ldfld"          Field       [Any]         -> [Any]      Next;
    0x7c   Ldflda         "ldflda"         Field       [Any]         -> [I]        Next;
    0x7d   Stfld          "stfld"          Field       [Any, Any]    -> []         Next;
    0x7e   Ldsfld         "ldsfld"         Field       []            -> [Any]      Next;
    0x7f   Ldsflda        "ldsflda"        Field       []            -> [I]        Next;
    0x80   Stsfld         "stsfld"         Field       [Any]         -> []         Next;
    0x81   Stobj          "stobj"          Type        [I, Any]      -> []         Next;
    0x82   ConvOvfI1Un    "conv.ovf.i1.un" None        [Any]         -> [I]        Next;
    0x83   ConvOvfI2Un    "conv.ovf.i2.un" None        [Any]         -> [I]        Next;
    0x84   ConvOvfI4Un    "conv.ovf.i4.un" None        [Any]         -> [I]        Next;
    0x85   ConvOvfI8Un    "conv.ovf.i8.un" None        [Any]         -> [I8]       Next;
    0x86   ConvOvfU1Un    "conv.ovf.u1.un" None        [Any]         -> [I]        Next;
    0x87   ConvOvfU2Un    "conv.ovf.u2.un" None        [Any]         -> [I]        Next;
    0x88   ConvOvfU4Un    "conv.ovf.u4.un" None        [Any]         -> [I]        Next;
    0x89   ConvOvfU8Un    "conv.ovf.u8.un" None        [Any]         -> [I8]       Next;
    0x8a   ConvOvfIUn     "conv.ovf.i.un"  None        [Any]         -> [I]        Next;
    0x8b   ConvOvfUUn     "conv.ovf.u.un"  None        [Any]         -> [I]        Next;
    0x8c   Box            "box"            Type        [Any]         -> [Ref]      Next;
    0x8d   Newarr         "newarr"         Type        [I]           -> [Ref]      Next;
    0x8e   Ldlen          "ldlen"          None        [Ref]         -> [I]        Next;
    0x8f   Ldelema        "ldelema"        Type        [Ref, I]      -> [I]        Next;
    0x90   LdelemI1       "ldelem.i1"      None        [Ref, I]      -> [I]        Next;
    0x91   LdelemU1       "ldelem.u1"      None        [Ref, I]      -> [I]        Next;
    0x92   LdelemI2       "ldelem.i2"      None        [Ref, I]      -> [I]        Next;
    0x93   LdelemU2       "ldelem.u2"      None        [Ref, I]      -> [I]        Next;
    0x94   LdelemI4       "ldelem.i4"      None        [Ref, I]      -> [I]        Next;
    0x95   LdelemU4       "ldelem.u4"      None        [Ref, I]      -> [I]        Next;
    0x96   LdelemI8       "ldelem.i8"      None        [Ref, I]      -> [I8]       Next;
    0x97   LdelemI        "ldelem.i"       None        [Ref, I]      -> [I]        Next;
    0x98   LdelemR4       "ldelem.r4"      None        [Ref, I]      -> [R4]       Next;
    0x99   LdelemR8       "ldelem.r8"      None        [Ref, I]      -> [R8]       Next;
    0x9a   LdelemRef      "ldelem.ref"     None        [Ref, I]      -> [Ref]      Next;
    0x9b   StelemI        "stelem.i"       None        [Ref, I, I]   -> []         Next;
    0x9c   StelemI1       "stelem.i1"      None        [Ref, I, I]   -> []         Next;
    0x9d   StelemI2       "stelem.i2"      None        [Ref, I, I]   -> []         Next;
    0x9e   StelemI4       "stelem.i4"      None        [Ref, I, I]   -> []         Next;
    0x9f   StelemI8       "stelem.i8"      None        [Ref, I, I8]  -> []         Next;
    0xa0   StelemR4       "stelem.r4"      None        [Ref, I, R4]  -> []         Next;
    0xa1   StelemR8       "stelem.r8"      None        [Ref, I, R8]  -> []         Next;
    0xa2   StelemRef      "stelem.ref"     None        [Ref, I, Ref] -> []         Next;
    0xa3   Ldelem         "ldelem"         Type        [Ref, I]      -> [Any]      Next;
    0xa4   Stelem         "stelem"         Type        [Ref, I, Any] -> []         Next;
    0xa5   UnboxAny       "unbox.any"      Type        [Ref]         -> [Any]      Next;
    0xb3   ConvOvfI1      "conv.ovf.i1"    None        [Any]         -> [I]        Next;
    0xb4   ConvOvfU1      "conv.ovf.u1"    None        [Any]         -> [I]        Next;
    0xb5   ConvOvfI2      "conv.ovf.i2"    None        [Any]         -> [I]        Next;
    0xb6   ConvOvfU2      "conv.ovf.u2"    None        [Any]         -> [I]        Next;
    0xb7   ConvOvfI4      "conv.ovf.i4"    None        [Any]         -> [I]        Next;
    0xb8   ConvOvfU4      "conv.ovf.u4"    None        [Any]         -> [I]        Next;
    0xb9   ConvOvfI8      "conv.ovf.i8"    None        [Any]         -> [I8]       Next;
    0xba   ConvOvfU8      "conv.ovf.u8"    None        [Any]         -> [I8]       Next;
    0xc2   Refanyval      "refanyval"      Type        [Any]         -> [I]        Next;
    0xc3   Ckfinite       "ckfinite"       None        [Any]         -> [R8]       Next;
    0xc6   Mkrefany       "mkrefany"       Type        [I]           -> [Any]      Next;
    0xd0   Ldtoken        "ldtoken"        Token       []            -> [I]        Next;
    0xd1   ConvU2         "conv.u2"        None        [Any]         -> [I]        Next;
    0xd2   ConvU1         "conv.u1"        None        [Any]         -> [I]        Next;
    0xd3   ConvI          "conv.i"         None        [Any]         -> [I]        Next;
    0xd4   ConvOvfI       "conv.ovf.i"     None        [Any]         -> [I]        Next;
    0xd5   ConvOvfU       "conv.ovf.u"     None        [Any]         -> [I]        Next;
    0xd6   AddOvf         "add.ovf"        None        [Any, Any]    -> [Any]      Next;
    0xd7   AddOvfUn       "add.ovf.un"     None        [Any, Any]    -> [Any]      Next;
    0xd8   MulOvf         "mul.ovf"        None        [Any, Any]    -> [Any]      Next;
    0xd9   MulOvfUn       "mul.ovf.un"     None        [Any, Any]    -> [Any]      Next;
    0xda   SubOvf         "sub.ovf"        None        [Any, Any]    -> [Any]      Next;
    0xdb   SubOvfUn       "sub.ovf.un"     None        [Any, Any]    -> [Any]      Next;
    0xdc   Endfinally     "endfinally"     None        []            -> []         Return;
    0xdd   Leave          "leave"          Target      []            -> []         Branch;
    0xde   LeaveS         "leave.s"        ShortTarget []            -> []         Branch;
    0xdf   StindI         "stind.i"        None        [I, I]        -> []         Next;
    0xe0   ConvU          "conv.u"         None        [Any]         -> [I]        Next;
    0xfe00 Arglist        "arglist"        None        []            -> [I]        Next;
    0xfe01 Ceq            "ceq"            None        [Any, Any]    -> [I]        Next;
    0xfe02 Cgt            "cgt"            None        [Any, Any]    -> [I]        Next;
    0xfe03 CgtUn          "cgt.un"         None        [Any, Any]    -> [I]        Next;
    0xfe04 Clt            "clt"            None        [Any, Any]    -> [I]        Next;
    0xfe05 CltUn          "clt.un"         None        [Any, Any]    -> [I]        Next;
    0xfe06 Ldftn          "ldftn"          Method      []            -> [I]        Next;
    0xfe07 Ldvirtftn      "ldvirtftn"      Method      [Ref]         -> [I]        Next;
    0xfe09 Ldarg          "ldarg"          Arg         []            -> [Any]      Next;
    0xfe0a Ldarga         "ldarga"         Arg         []            -> [I]        Next;
    0xfe0b Starg          "starg"          Arg         [Any]         -> []         Next;
    0xfe0c Ldloc          "ldloc"          Local       []            -> [Any]      Next;
    0xfe0d Ldloca         "ldloca"         Local       []            -> [I]        Next;
    0xfe0e Stloc          "stloc"          Local       [Any]         -> []         Next;
    0xfe0f Localloc       "localloc"       None        [I]           -> [I]        Next;
    0xfe11 Endfilter      "endfilter"      None        [I]           -> []         Return;
    0xfe12 Unaligned      "unaligned."     Int8        []            -> []         Prefix;
    0xfe13 Volatile       "volatile."      None        []            -> []         Prefix;
    0xfe14 Tail           "tail."          None        []            -> []         Prefix;
    0xfe15 Initobj        "initobj"        Type        [I]           -> []         Next;
    0xfe16 Constrained    "constrained."   Type        []            -> []         Prefix;
    0xfe17 Cpblk          "cpblk"          None        [I, I, I]     -> []         Next;
    0xfe18 Initblk        "initblk"        None        [I, I, I]     -> []         Next;
    0xfe19 No             "no."            Int8        []            -> []         Prefix;
    0xfe1a Rethrow        "rethrow"        None        []            -> []         Throw;
    0xfe1c Sizeof         "sizeof"         Type        []            -> [I]        Next;
    0xfe1d Refanytype     "refanytype"     None        [Any]         -> [I]        Next;
    0xfe1e Readonly       "readonly."      None        []            -> []         Prefix;
}
