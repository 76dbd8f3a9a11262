//! The garbage collector and its handles (see [`vm::collect`]).

use crate::answers::{no, nothing, yes};
use crate::table::{Entry, all, native, native_enter, one, throws};
use vm::bytes::Bytes;
use vm::collect::Weak;
use vm::heap::{BlockKind, split_address};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::stop::RuntimeException;
use vm::value::{Repr, Value};

const GC: &str = "System.GC";
const SETTINGS: &str = "System.Runtime.GCSettings";
const HANDLE: &str = "System.Runtime.InteropServices.GCHandle";
const DEPENDENT: &str = "System.Runtime.DependentHandle";

/// In programs memory is collected.
pub(crate) const PROGRAMS: &[Entry] = &[
    all(GC, "_Collect", collect),
    native_enter(GC, "_WaitForPendingFinalizers", |m, s, _, after| m.wait_for_finalizers(s, after)),
    native(GC, "SuppressFinalizeInternal", |m, s, call| set_finalized(m, s, call, true)),
    native(GC, "_SuppressFinalize", |m, s, call| set_finalized(m, s, call, true)),
    native(GC, "_ReRegisterForFinalize", |m, s, call| set_finalized(m, s, call, false)),
    native(GC, "ReRegisterForFinalize", |m, s, call| {
        let place = call.word(m, s, 0, 0)?;
        let object = m.load_word(s, place)?;
        s.set_finalized(object, false);
        Ok(None)
    }),
    native(GC, "GetTotalMemory", |_, s, _| Ok(Some(Value::I64(s.heap.live_bytes().cast_signed())))),
    native(GC, "_CollectionCount", |m, s, call| {
        let generation = call.number(m, s, 0)? as usize;
        Ok(Some(Value::I32(s.collector.count(generation))))
    }),
    native(SETTINGS, "get_IsServerGC", no),
    native(SETTINGS, "GetGCLatencyMode", |_, s, _| Ok(Some(Value::I32(s.attached.get::<Wishes>().latency)))),
    native(SETTINGS, "SetGCLatencyMode", |m, s, call| {
        s.attached.get_mut::<Wishes>().latency = call.number(m, s, 0)? as i32;
        Ok(Some(Value::I32(0)))
    }),
    native(SETTINGS, "GetLOHCompactionMode", |_, s, _| {
        Ok(Some(Value::I32(s.attached.get::<Wishes>().compaction)))
    }),
    native(SETTINGS, "SetLOHCompactionMode", |m, s, call| {
        s.attached.get_mut::<Wishes>().compaction = call.number(m, s, 0)? as i32;
        Ok(None)
    }),
    native(GC, "<_StartNoGCRegion>g____PInvoke|", start_region),
    native(GC, "_StartNoGCRegion", start_region),
    native(GC, "_EndNoGCRegion", end_region),
    native(GC, "_RegisterForFullGCNotification", yes),
    native(GC, "_CancelFullGCNotification", yes),
    native(GC, "_WaitForFullGCApproach", |_, _, _| Ok(Some(Value::I32(NOT_APPLICABLE)))),
    native(GC, "_WaitForFullGCComplete", |_, _, _| Ok(Some(Value::I32(NOT_APPLICABLE)))),
    native(GC, "_GetTotalPauseDuration", |_, _, _| Ok(Some(Value::I64(0)))),
    native(GC, "GetMemoryInfo", memory_info),
    native(GC, "GetGenerationInternal", generation),
    native(GC, "GetGeneration", generation),
    native(GC, "GetAllocatedBytesForCurrentThread", allocated),
    native(GC, "GetTotalAllocatedBytesApproximate", allocated),
    native(GC, "GetTotalAllocatedBytesPrecise", allocated),
    native(GC, "GetTotalAllocatedBytes", allocated),
];

/// What a program has asked of the collector, which goes its own way nevertheless.
#[derive(Clone)]
struct Wishes {
    latency: i32,
    compaction: i32,
    /// The latency mode before a time without collections.
    before_region: Option<i32>,
}

impl Default for Wishes {
    /// Interactive; the heap of large objects is not compacted.
    fn default() -> Wishes {
        Wishes { latency: 1, compaction: 1, before_region: None }
    }
}

/// `GCLatencyMode.NoGCRegion`.
const NO_REGION: i32 = 4;
/// `GCNotificationStatus.NotApplicable`: nobody collects while others run.
const NOT_APPLICABLE: i32 = 4;

/// Whether the program asks for memory without a collection: 0 it is there, 3 it is asked for already.
fn start_region(_: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    let wishes = s.attached.get_mut::<Wishes>();
    if wishes.before_region.is_some() {
        return Ok(Some(Value::I32(3)));
    }
    wishes.before_region = Some(std::mem::replace(&mut wishes.latency, NO_REGION));
    Ok(Some(Value::I32(0)))
}

/// 0, or 1 where no such time has begun.
fn end_region(_: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    let wishes = s.attached.get_mut::<Wishes>();
    let Some(latency) = wishes.before_region.take() else { return Ok(Some(Value::I32(1))) };
    wishes.latency = latency;
    Ok(Some(Value::I32(0)))
}

/// `(data, kind)`: the last collection of this kind, and the memory that there is.
fn memory_info(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let data = call.number(m, s, 0)?;
    let (live, all) = (s.heap.live_bytes().cast_signed(), m.config.max_heap_bytes.cast_signed());
    let collections = s.collector.count(0);
    let numbers = [
        ("_highMemoryLoadThresholdBytes", all / 10 * 9),
        ("_totalAvailableMemoryBytes", all),
        ("_memoryLoadBytes", live),
        ("_heapSizeBytes", if collections > 0 { live } else { 0 }),
        ("_totalCommittedBytes", if collections > 0 { live } else { 0 }),
        ("_index", i64::from(collections)),
    ];
    for (name, value) in numbers {
        m.store_field(s, data, name, Repr::I8, Value::I64(value))?;
    }
    Ok(None)
}

/// Where nothing is collected.
pub(crate) const ALONE: &[Entry] = &[
    all(GC, "_Collect", nothing),
    all(GC, "_WaitForPendingFinalizers", nothing),
    all(GC, "WaitForPendingFinalizers", nothing),
    all(GC, "SuppressFinalize", nothing),
    all(GC, "SuppressFinalizeInternal", nothing),
    all(GC, "ReRegisterForFinalize", nothing),
];

pub(crate) const TABLE: &[Entry] = &[
    all(GC, "KeepAlive", nothing),
    all(GC, "_AddMemoryPressure", nothing),
    all(GC, "_RemoveMemoryPressure", nothing),
    all(GC, "GetMaxGeneration", two),
    all(GC, "AllocateNewArray", new_array),
    all(HANDLE, "_InternalAlloc", allocate_handle),
    all(HANDLE, "InternalAlloc", allocate_handle),
    all(HANDLE, "_InternalFree", free_handle),
    all(HANDLE, "InternalFree", free_handle),
    all(HANDLE, "InternalSet", set_handle),
    all(HANDLE, "InternalCompareExchange", compare_exchange_handle),
    one(DEPENDENT, "InternalAlloc", "System.Object,System.Object", allocate_dependent),
    all(DEPENDENT, "InternalAllocWithGCTransition", allocate_dependent),
    all(DEPENDENT, "InternalGetTarget", handle_target),
    all(DEPENDENT, "InternalGetDependent", dependent),
    all(DEPENDENT, "InternalGetTargetAndDependent", target_and_dependent),
    all(DEPENDENT, "InternalSetDependent", set_dependent),
    all(DEPENDENT, "InternalSetTargetToNull", clear_target),
    one(DEPENDENT, "InternalFree", "System.IntPtr", free_dependent),
];

fn two(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::I32(2)))
}

/// Generation (all of them below 0), …
fn collect(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let generation = call.number(m, s, 0)? as i32;
    m.collect(s, usize::try_from(generation).map_or(2, |generation| generation.min(2)));
    Ok(None)
}

fn set_finalized(m: &mut Machine, s: &mut State, call: &Call, done: bool) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    s.set_finalized(object, done);
    Ok(None)
}

/// Literals live in a heap that is never collected.
fn generation(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (block, _) = split_address(call.number(m, s, 0)?);
    let frozen = s.runtime.literals.values().any(|literal| *literal == block);
    Ok(Some(Value::I32(if frozen { i32::MAX } else { s.collector.age(block) })))
}

fn allocated(_: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::I64(s.heap.allocated().cast_signed())))
}

/// Type handle of the array, length, flags, and where newer runtimes want the result.
fn new_array(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let ty = m.type_of_handle(s, handle)?;
    let len = call.number(m, s, 1)?;
    let Some(element) = m.universe.array_element(ty) else {
        return Err(unsupported(s, "an array of something that is none"));
    };
    let Some(array) = m.allocate_array(s, element, len)? else {
        return throws(m, RuntimeException::OutOfMemory);
    };
    if call.args.len() < 4 {
        return Ok(Some(Value::address(array)));
    }
    let slot = call.word(m, s, 3, 0)?;
    m.store(s, slot, Repr::Ref, Value::address(array))?;
    Ok(None)
}

/// A handle is the address of a word with the reference.
fn allocate_handle(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let block = s.heap.allocate(BlockKind::Handle, Bytes::zeroed(8));
    m.store(s, block.address(), Repr::Ref, call.value(s, 0)?)?;
    // `GCHandleType`.
    match call.number(m, s, 1)? {
        0 => s.add_weak(block, Weak::Short),
        1 => s.add_weak(block, Weak::Long),
        _ => {}
    }
    Ok(Some(Value::address(block.address())))
}

fn free_handle(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (block, _) = split_address(call.number(m, s, 0)?);
    s.free_handle(block);
    // The fast path of newer runtimes says whether it could.
    Ok(returns(m, call).then(|| Value::bool(true)))
}

fn set_handle(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    m.store(s, handle, Repr::Ref, call.value(s, 1)?)?;
    Ok(None)
}

/// Handle, new value, expected value.
fn compare_exchange_handle(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let old = m.load(s, handle, Repr::Ref)?;
    if matches!(old, Value::I64(old) if old.cast_unsigned() == call.number(m, s, 2)?) {
        m.store(s, handle, Repr::Ref, call.value(s, 1)?)?;
    }
    Ok(Some(old))
}

/// Target, then dependent.
fn allocate_dependent(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let block = s.heap.allocate(BlockKind::Handle, Bytes::zeroed(16));
    m.store(s, block.address(), Repr::Ref, call.value(s, 0)?)?;
    m.store(s, block.address() + 8, Repr::Ref, call.value(s, 1)?)?;
    s.add_weak(block, Weak::Dependent);
    Ok(Some(Value::address(block.address())))
}

fn handle_target(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    m.load(s, handle, Repr::Ref).map(Some)
}

fn dependent(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    m.load(s, handle + 8, Repr::Ref).map(Some)
}

fn target_and_dependent(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let out = call.number(m, s, 1)?;
    let dependent = m.load(s, handle + 8, Repr::Ref)?;
    m.store(s, out, Repr::Ref, dependent)?;
    m.load(s, handle, Repr::Ref).map(Some)
}

fn set_dependent(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    m.store(s, handle + 8, Repr::Ref, call.value(s, 1)?)?;
    Ok(None)
}

fn clear_target(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    m.store(s, handle, Repr::Ref, Value::NULL)?;
    m.store(s, handle + 8, Repr::Ref, Value::NULL)?;
    Ok(None)
}

fn free_dependent(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    free_handle(m, s, call)
}

/// Whether the method has a result.
pub(crate) fn returns(m: &Machine, call: &Call) -> bool {
    m.universe
        .signature(call.method)
        .is_ok_and(|sig| m.universe.primitive(sig.ret) != Some(types::Primitive::Void))
}
