//! Deflate, zlib and gzip, which the class library takes from a native library. The Rust port of that library gives the
//! same bytes at every level.
//!
//! The native state cannot be copied, so only programs have it: their states are never forked.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use types::Type;
use zlib_rs::{Deflate, DeflateConfig, DeflateFlush, Inflate, InflateError, InflateFlush, Status};

use crate::table::{Entry, failed, native};
use vm::bytes::Bytes;
use vm::machine::{Machine, Step, unsupported};
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
pub struct Streams(Vec<Option<Rc<RefCell<Codec>>>>);

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

fn keep(m: &mut Machine, s: &mut State, call: &Call, codec: Codec) -> Step<Option<Value>> {
    let place = field(m, s, call, "internalState")?;
    let streams = s.attached.get_mut::<Streams>();
    streams.0.push(Some(Rc::new(RefCell::new(codec))));
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
    keep(m, s, call, Codec::Deflate(Deflate::new_with_config(config)))
}

/// Stream, bits of the window: negative without a header, more than 15 with that of gzip.
fn start_inflating(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let codec = inflate(m, s, call)?;
    keep(m, s, call, codec)
}

fn inflate(m: &Machine, s: &State, call: &Call) -> Step<Codec> {
    let bits = call.number(m, s, 1)? as i32;
    match bits.unsigned_abs() {
        8..=15 => Ok(Codec::Inflate(Inflate::new(bits > 0, bits.unsigned_abs() as u8))),
        width @ (24..=31 | 40..=47) if bits > 0 => Ok(Codec::Inflate(Inflate::new(true, width as u8))),
        _ => Err(unsupported(s, "a window of this size")),
    }
}

fn start_again(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = number(m, s, call)?;
    let codec = inflate(m, s, call)?;
    if let Some(place) = s.attached.get_mut::<Streams>().0.get_mut(number) {
        *place = Some(Rc::new(RefCell::new(codec)));
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
    let Some(Some(codec)) = s.attached.get::<Streams>().0.get(number).cloned() else {
        return code(STREAM_ERROR);
    };
    let (answer, taken, made) = step(&mut codec.borrow_mut(), &input, &mut output, flush);
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
