//! Hash functions, which the class library takes from OpenSSL: digests, keyed hashes and keys derived from passwords.
//!
//! What a native context would hold is kept in the state; its handle is a number.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

use crate::answers::zero;
use crate::table::{Entry, native};
use vm::bytes::Bytes;
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const CRYPTO: &str = "Interop+Crypto";

pub(crate) const TABLE: &[Entry] = &[
    native("Interop+CryptoInitializer", "EnsureOpenSslInitialized", zero),
    native(CRYPTO, "CryptoNative_EvpMd5", |_, _, _| algorithm(0)),
    native(CRYPTO, "CryptoNative_EvpSha1", |_, _, _| algorithm(1)),
    native(CRYPTO, "CryptoNative_EvpSha256", |_, _, _| algorithm(2)),
    native(CRYPTO, "CryptoNative_EvpSha384", |_, _, _| algorithm(3)),
    native(CRYPTO, "CryptoNative_EvpSha512", |_, _, _| algorithm(4)),
    native(CRYPTO, "GetMaxMdSize", |_, _, _| Ok(Some(Value::I32(64)))),
    native(CRYPTO, "EvpMdSize", size),
    native(CRYPTO, "EvpDigestOneShot", digest_at_once),
    native(CRYPTO, "<EvpMdCtxCreate>g____PInvoke|", create),
    native(CRYPTO, "<EvpMdCtxCopyEx>g____PInvoke|", copy),
    native(CRYPTO, "EvpMdCtxDestroy", destroy),
    native(CRYPTO, "<EvpDigestReset>g____PInvoke|", reset_digest),
    native(CRYPTO, "<EvpDigestUpdate>g____PInvoke|", update),
    native(CRYPTO, "<EvpDigestFinalEx>g____PInvoke|", current),
    native(CRYPTO, "<EvpDigestCurrent>g____PInvoke|", current),
    native(CRYPTO, "HmacOneShot", keyed_at_once),
    native(CRYPTO, "<HmacCreate>g____PInvoke|", create_keyed),
    native(CRYPTO, "<HmacReset>g____PInvoke|", reset_keyed),
    native(CRYPTO, "<HmacUpdate>g____PInvoke|", update),
    native(CRYPTO, "<HmacFinal>g____PInvoke|", current),
    native(CRYPTO, "<HmacCurrent>g____PInvoke|", current),
    native(CRYPTO, "<HmacCopy>g____PInvoke|", copy),
    native(CRYPTO, "HmacDestroy", destroy),
    native(CRYPTO, "<Pbkdf2>g____PInvoke|", derive_key),
];

/// The contexts of a state, by their handles.
#[derive(Clone, Debug, Default)]
pub struct Hashes {
    contexts: Vec<Option<Context>>,
}

#[derive(Clone, Debug)]
struct Context {
    running: Hasher,
    /// Of a keyed hash: how it starts again, and the hash around the inner one.
    key: Option<(Hasher, Hasher)>,
}

#[derive(Clone, Debug)]
enum Hasher {
    Md5(Md5),
    Sha1(Sha1),
    Sha256(Sha256),
    Sha384(Sha384),
    Sha512(Sha512),
}

impl Hasher {
    fn new(algorithm: u64) -> Option<Hasher> {
        Some(match algorithm.checked_sub(ALGORITHMS)? {
            0 => Hasher::Md5(Md5::new()),
            1 => Hasher::Sha1(Sha1::new()),
            2 => Hasher::Sha256(Sha256::new()),
            3 => Hasher::Sha384(Sha384::new()),
            4 => Hasher::Sha512(Sha512::new()),
            _ => return None,
        })
    }

    fn update(&mut self, data: &[u8]) {
        match self {
            Hasher::Md5(h) => h.update(data),
            Hasher::Sha1(h) => h.update(data),
            Hasher::Sha256(h) => h.update(data),
            Hasher::Sha384(h) => h.update(data),
            Hasher::Sha512(h) => h.update(data),
        }
    }

    fn finish(self) -> Vec<u8> {
        match self {
            Hasher::Md5(h) => h.finalize().to_vec(),
            Hasher::Sha1(h) => h.finalize().to_vec(),
            Hasher::Sha256(h) => h.finalize().to_vec(),
            Hasher::Sha384(h) => h.finalize().to_vec(),
            Hasher::Sha512(h) => h.finalize().to_vec(),
        }
    }

    fn block_size(&self) -> usize {
        match self {
            Hasher::Sha384(_) | Hasher::Sha512(_) => 128,
            _ => 64,
        }
    }
}

impl Context {
    /// HMAC (RFC 2104).
    fn keyed(empty: Hasher, key: &[u8]) -> Context {
        let mut block = key.to_vec();
        if key.len() > empty.block_size() {
            let mut short = empty.clone();
            short.update(key);
            block = short.finish();
        }
        block.resize(empty.block_size(), 0);
        let [mut inner, mut outer] = [empty.clone(), empty];
        inner.update(&block.iter().map(|byte| byte ^ 0x36).collect::<Vec<u8>>());
        outer.update(&block.iter().map(|byte| byte ^ 0x5c).collect::<Vec<u8>>());
        Context { running: inner.clone(), key: Some((inner, outer)) }
    }

    fn finish(self) -> Vec<u8> {
        let inner = self.running.finish();
        match self.key {
            None => inner,
            Some((_, mut outer)) => {
                outer.update(&inner);
                outer.finish()
            }
        }
    }
}

/// Algorithms and contexts have numbers where addresses of the native library would be.
const ALGORITHMS: u64 = 0x10;
const CONTEXTS: u64 = 0x100;

fn algorithm(number: u64) -> Step<Option<Value>> {
    Ok(Some(Value::address(ALGORITHMS + number)))
}

fn done() -> Step<Option<Value>> {
    Ok(Some(Value::I32(1)))
}

fn hasher(call: &Call, m: &Machine, s: &State, index: usize) -> Step<Hasher> {
    let number = call.number(m, s, index)?;
    Hasher::new(number).ok_or_else(|| unsupported(s, "this hash function"))
}

/// The address of bytes and, in the argument after it, their number.
fn data(call: &Call, m: &mut Machine, s: &State, index: usize) -> Step<Vec<u8>> {
    let (from, len) = (call.number(m, s, index)?, call.number(m, s, index + 1)? as i32);
    if len <= 0 {
        return Ok(Vec::new());
    }
    let bytes = m.load_bytes(s, from, len as usize)?;
    match bytes.concrete() {
        Some(bytes) => Ok(bytes.to_vec()),
        None => Err(unsupported(s, "a hash of symbolic bytes")),
    }
}

/// Where a context is in the table of the state.
fn context_number(call: &Call, m: &Machine, s: &State, index: usize) -> Step<usize> {
    let handle = call.number(m, s, index)?;
    let number = handle.wrapping_sub(CONTEXTS) as usize;
    match s.attached.get::<Hashes>().contexts.get(number) {
        Some(Some(_)) => Ok(number),
        _ => Err(unsupported(s, "a hash without its context")),
    }
}

fn context(s: &State, number: usize) -> Step<Context> {
    match s.attached.get::<Hashes>().contexts.get(number) {
        Some(Some(context)) => Ok(context.clone()),
        _ => Err(unsupported(s, "a hash without its context")),
    }
}

fn keep(s: &mut State, context: Context) -> Step<Option<Value>> {
    let hashes = s.attached.get_mut::<Hashes>();
    hashes.contexts.push(Some(context));
    Ok(Some(Value::address(CONTEXTS + hashes.contexts.len() as u64 - 1)))
}

fn replace(s: &mut State, number: usize, context: Option<Context>) {
    if let Some(place) = s.attached.get_mut::<Hashes>().contexts.get_mut(number) {
        *place = context;
    }
}

/// Writes a hash and its length to the places that two arguments name.
fn answer(m: &mut Machine, s: &mut State, call: &Call, index: usize, hash: Vec<u8>) -> Step<Option<Value>> {
    let (to, len) = (call.number(m, s, index)?, call.number(m, s, index + 1)?);
    m.store(s, len, Repr::I4, Value::I32(hash.len() as i32))?;
    m.store_bytes(s, to, &Bytes::from_vec(hash))?;
    done()
}

fn size(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let hash = hasher(call, m, s, 0)?.finish();
    Ok(Some(Value::I32(hash.len() as i32)))
}

/// Algorithm, data and its length, where the hash goes and where its length goes.
fn digest_at_once(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let mut hasher = hasher(call, m, s, 0)?;
    hasher.update(&data(call, m, s, 1)?);
    answer(m, s, call, 3, hasher.finish())
}

/// Algorithm, key and its length, data and its length, where the hash goes and where its length goes.
fn keyed_at_once(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let mut context = Context::keyed(hasher(call, m, s, 0)?, &data(call, m, s, 1)?);
    context.running.update(&data(call, m, s, 3)?);
    answer(m, s, call, 5, context.finish())
}

fn create(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let running = hasher(call, m, s, 0)?;
    keep(s, Context { running, key: None })
}

/// Key, its length, algorithm.
fn create_keyed(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let key = data(call, m, s, 0)?;
    let hasher = hasher(call, m, s, 2)?;
    keep(s, Context::keyed(hasher, &key))
}

fn copy(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = context_number(call, m, s, 0)?;
    let context = context(s, number)?;
    keep(s, context)
}

fn destroy(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = context_number(call, m, s, 0)?;
    replace(s, number, None);
    Ok(None)
}

/// Context, algorithm.
fn reset_digest(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = context_number(call, m, s, 0)?;
    let running = hasher(call, m, s, 1)?;
    replace(s, number, Some(Context { running, key: None }));
    done()
}

fn reset_keyed(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = context_number(call, m, s, 0)?;
    let mut context = context(s, number)?;
    if let Some((start, _)) = &context.key {
        context.running = start.clone();
    }
    replace(s, number, Some(context));
    done()
}

/// Context, data and its length.
fn update(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = context_number(call, m, s, 0)?;
    let data = data(call, m, s, 1)?;
    if let Some(Some(context)) = s.attached.get_mut::<Hashes>().contexts.get_mut(number) {
        context.running.update(&data);
    }
    done()
}

/// Context, where the hash goes, where its length goes. After the last one, the class library resets the context.
fn current(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = context_number(call, m, s, 0)?;
    let hash = context(s, number)?.finish();
    answer(m, s, call, 1, hash)
}

/// PBKDF2 (RFC 8018): password and its length, salt and its length, iterations, algorithm, where the key goes and its length.
fn derive_key(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (password, salt) = (data(call, m, s, 0)?, data(call, m, s, 2)?);
    let iterations = call.number(m, s, 4)?;
    let start = Context::keyed(hasher(call, m, s, 5)?, &password);
    let (to, len) = (call.number(m, s, 6)?, call.number(m, s, 7)? as usize);
    let keyed = |data: &[u8]| {
        let mut context = start.clone();
        context.running.update(data);
        context.finish()
    };
    let mut key = Vec::new();
    for block in 1u32.. {
        if key.len() >= len {
            break;
        }
        let mut hash = keyed(&[&salt[..], &block.to_be_bytes()].concat());
        let mut sum = hash.clone();
        for _ in 1..iterations {
            hash = keyed(&hash);
            sum.iter_mut().zip(&hash).for_each(|(sum, byte)| *sum ^= byte);
        }
        key.extend(sum);
    }
    key.truncate(len);
    m.store_bytes(s, to, &Bytes::from_vec(key))?;
    done()
}
