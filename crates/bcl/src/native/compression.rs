//! Deflate, zlib and gzip, which the class library takes from a native library. The Rust port of that library gives the
//! same bytes at every level.
//!
//! The native state cannot be copied. Where states fork, a stream remembers what it was fed: whoever finds that a fork has
//! taken the native state elsewhere feeds a new one with the same.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use types::Type;
use zlib_rs::{Deflate, DeflateConfig, DeflateFlush, Inflate, InflateError, InflateFlush, Status};

use crate::table::{Entry, failed, native};
use vm::bytes::Bytes;
use vm::machine::{Machine, Step, unsupported};
use vm::mode::Mode;
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const ZLIB: &str = "Interop+ZLib";

pub(crate) const TABLE: &[Entry] = &[
    native(ZLIB, "DeflateInit2_", start_deflating),
    native(ZLIB, "Deflate", go_on),
    native(ZLIB, "DeflateEnd", end),
    native(ZLIB, "InflateInit2_", start_inflating),
    native(ZLIB, "InflateReset2_", start_again),
    native(ZLIB, "Inflate", go_on),
    native(ZLIB, "InflateEnd", end),
    native(ZLIB, "crc32", checksum),
];

/// The streams of a state; the native structure has the number.
#[derive(Clone, Default)]
pub struct Streams(Vec<Option<Stream>>);

#[derive(Clone)]
struct Stream {
    start: Start,
    /// What it was fed, the last first; nothing in a program, which never forks.
    past: Option<Rc<Fed>>,
    /// Shared with the forks of the state, one of which was the last to use it.
    native: Rc<RefCell<Native>>,
}

#[derive(Clone, Copy)]
enum Start {
    Deflate(DeflateConfig),
    Inflate { header: bool, width: u8 },
}

/// One step of a stream.
struct Fed {
    input: Vec<u8>,
    room: usize,
    flush: i32,
    before: Option<Rc<Fed>>,
}

struct Native {
    codec: Codec,
    /// What it was fed so far.
    past: Option<Rc<Fed>>,
}

impl Drop for Fed {
    /// One after the other: a long past must not use up the stack.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut fed) = before.and_then(Rc::into_inner) {
            before = fed.before.take();
        }
    }
}

impl Start {
    fn codec(self) -> Codec {
        match self {
            Start::Deflate(config) => Codec::Deflate(Deflate::new_with_config(config)),
            Start::Inflate { header, width } => Codec::Inflate(Inflate::new(header, width)),
        }
    }
}

impl Stream {
    fn new(start: Start) -> Stream {
        let native = Native { codec: start.codec(), past: None };
        Stream { start, past: None, native: Rc::new(RefCell::new(native)) }
    }

    /// The answer, how much was read and how much was written.
    fn feed(&mut self, input: &[u8], output: &mut [u8], flush: i32, remember: bool) -> (i32, usize, usize) {
        self.catch_up();
        let mut native = self.native.borrow_mut();
        let answer = step(&mut native.codec, input, output, flush);
        if remember {
            let fed = Fed { input: input.to_vec(), room: output.len(), flush, before: self.past.take() };
            self.past = Some(Rc::new(fed));
            native.past.clone_from(&self.past);
        }
        answer
    }

    /// A native state of its own if a fork has used the one that is shared.
    fn catch_up(&mut self) {
        if same(self.native.borrow().past.as_ref(), self.past.as_ref()) {
            return;
        }
        let mut steps = Vec::new();
        let mut at = self.past.as_ref();
        while let Some(fed) = at {
            steps.push(fed);
            at = fed.before.as_ref();
        }
        let mut codec = self.start.codec();
        for fed in steps.into_iter().rev() {
            step(&mut codec, &fed.input, &mut vec![0; fed.room], fed.flush);
        }
        self.native = Rc::new(RefCell::new(Native { codec, past: self.past.clone() }));
    }
}

fn same(one: Option<&Rc<Fed>>, other: Option<&Rc<Fed>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

enum Codec {
    Deflate(Deflate),
    Inflate(Inflate),
}

impl fmt::Debug for Streams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} streams", self.0.len())
    }
}

/// What the native functions return.
const OK: i32 = 0;
const STREAM_END: i32 = 1;
const NEED_DICTIONARY: i32 = 2;
const STREAM_ERROR: i32 = -2;
const DATA_ERROR: i32 = -3;
const MEMORY_ERROR: i32 = -4;
const BUFFER_ERROR: i32 = -5;

fn code(code: i32) -> Step<Option<Value>> {
    Ok(Some(Value::I32(code)))
}

/// The address of a field of the structure that all functions get first.
fn field(m: &mut Machine, s: &State, call: &Call, name: &str) -> Step<u64> {
    let signature = m.universe.signature(call.method).map_err(|e| failed(s, e))?;
    let class = match signature.params.first().map(|ty| m.universe.ty(*ty)) {
        Some(Type::Pointer(class)) => *class,
        _ => return Err(unsupported(s, "a stream that is no structure")),
    };
    let offset = m.offset_of(s, class, &[name])?;
    Ok(call.number(m, s, 0)? + u64::from(offset))
}

fn keep(m: &mut Machine, s: &mut State, call: &Call, start: Start) -> Step<Option<Value>> {
    let place = field(m, s, call, "internalState")?;
    let streams = s.attached.get_mut::<Streams>();
    streams.0.push(Some(Stream::new(start)));
    let number = streams.0.len() as i64;
    m.store(s, place, Repr::I8, Value::I64(number))?;
    code(OK)
}

/// The number of a stream in the state's list.
fn number(m: &mut Machine, s: &State, call: &Call) -> Step<usize> {
    let place = field(m, s, call, "internalState")?;
    let number = m.load_word(s, place)?.wrapping_sub(1) as usize;
    match s.attached.get::<Streams>().0.get(number) {
        Some(Some(_)) => Ok(number),
        _ => Err(unsupported(s, "a compressed stream that was not started")),
    }
}

/// Stream, level, method, bits of the window, memory, strategy.
fn start_deflating(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let mut config = DeflateConfig { level: call.number(m, s, 1)? as i32, ..DeflateConfig::default() };
    config.window_bits = call.number(m, s, 3)? as i32;
    config.mem_level = call.number(m, s, 4)? as i32;
    config.strategy = match zlib_rs::Strategy::try_from(call.number(m, s, 5)? as i32) {
        Ok(strategy) => strategy,
        Err(()) => return code(STREAM_ERROR),
    };
    keep(m, s, call, Start::Deflate(config))
}

/// Stream, bits of the window: negative without a header, more than 15 with that of gzip.
fn start_inflating(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let start = inflate(m, s, call)?;
    keep(m, s, call, start)
}

fn inflate(m: &Machine, s: &State, call: &Call) -> Step<Start> {
    let bits = call.number(m, s, 1)? as i32;
    match bits.unsigned_abs() {
        width @ 8..=15 => Ok(Start::Inflate { header: bits > 0, width: width as u8 }),
        width @ (24..=31 | 40..=47) if bits > 0 => Ok(Start::Inflate { header: true, width: width as u8 }),
        _ => Err(unsupported(s, "a window of this size")),
    }
}

fn start_again(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = number(m, s, call)?;
    let start = inflate(m, s, call)?;
    if let Some(place) = s.attached.get_mut::<Streams>().0.get_mut(number) {
        *place = Some(Stream::new(start));
    }
    code(OK)
}

fn end(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = number(m, s, call)?;
    if let Some(place) = s.attached.get_mut::<Streams>().0.get_mut(number) {
        *place = None;
    }
    code(OK)
}

/// Stream, how to flush: takes what is there, fills the room there is, and says so in the structure.
fn go_on(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = number(m, s, call)?;
    let flush = call.number(m, s, 1)? as i32;
    let places = ["nextIn", "availIn", "nextOut", "availOut"];
    let [next_in, left_in, next_out, left_out] = {
        let mut found = [0; 4];
        for (place, name) in found.iter_mut().zip(places) {
            *place = field(m, s, call, name)?;
        }
        found
    };
    let (from, to) = (m.load_word(s, next_in)?, m.load_word(s, next_out)?);
    let (given, room) = (count(m, s, left_in)?, count(m, s, left_out)?);
    let input = data(m, s, from, given)?;
    let mut output = vec![0; room as usize];
    let remember = m.mode() != Mode::Program;
    let Some(Some(stream)) = s.attached.get_mut::<Streams>().0.get_mut(number) else {
        return code(STREAM_ERROR);
    };
    let (answer, taken, made) = stream.feed(&input, &mut output, flush, remember);
    output.truncate(made);
    if made > 0 {
        m.store_bytes(s, to, &Bytes::from_vec(output))?;
    }
    m.store(s, next_in, Repr::I8, Value::address(from + taken as u64))?;
    m.store(s, next_out, Repr::I8, Value::address(to + made as u64))?;
    m.store(s, left_in, Repr::I4, Value::I32(given as i32 - taken as i32))?;
    m.store(s, left_out, Repr::I4, Value::I32(room as i32 - made as i32))?;
    code(answer)
}

/// The answer, how much was read and how much was written.
fn step(codec: &mut Codec, input: &[u8], output: &mut [u8], flush: i32) -> (i32, usize, usize) {
    let status = |status| match status {
        Status::Ok => OK,
        Status::BufError => BUFFER_ERROR,
        Status::StreamEnd => STREAM_END,
    };
    match codec {
        Codec::Deflate(stream) => {
            let Ok(flush) = DeflateFlush::try_from(flush) else { return (STREAM_ERROR, 0, 0) };
            let (read, written) = (stream.total_in(), stream.total_out());
            let answer = stream.compress(input, output, flush).map_or(STREAM_ERROR, status);
            (answer, (stream.total_in() - read) as usize, (stream.total_out() - written) as usize)
        }
        Codec::Inflate(stream) => {
            let Ok(flush) = InflateFlush::try_from(flush) else { return (STREAM_ERROR, 0, 0) };
            let (read, written) = (stream.total_in(), stream.total_out());
            let answer = match stream.decompress(input, output, flush) {
                Ok(answer) => status(answer),
                Err(InflateError::NeedDict { .. }) => NEED_DICTIONARY,
                Err(InflateError::StreamError) => STREAM_ERROR,
                Err(InflateError::DataError) => DATA_ERROR,
                Err(InflateError::MemError) => MEMORY_ERROR,
            };
            (answer, (stream.total_in() - read) as usize, (stream.total_out() - written) as usize)
        }
    }
}

fn count(m: &mut Machine, s: &State, place: u64) -> Step<u32> {
    match m.load(s, place, Repr::I4)? {
        Value::I32(count) => Ok(count.cast_unsigned()),
        _ => Err(unsupported(s, "compressed data of symbolic length")),
    }
}

fn data(m: &mut Machine, s: &State, from: u64, len: u32) -> Step<Vec<u8>> {
    if len == 0 {
        return Ok(Vec::new());
    }
    let bytes = m.load_bytes(s, from, len as usize)?;
    match bytes.concrete() {
        Some(bytes) => Ok(bytes.to_vec()),
        None => Err(unsupported(s, "compression of symbolic bytes")),
    }
}

/// The checksum so far, data and its length.
fn checksum(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (start, from, len) = (call.number(m, s, 0)? as u32, call.number(m, s, 1)?, call.number(m, s, 2)?);
    let data = data(m, s, from, len as u32)?;
    code(zlib_rs::crc32::crc32(start, &data).cast_signed())
}
