//! A whole body with its header and exception clauses (ECMA-335 II.25.4), always in the fat form.

use std::ops::Range;

use cil::{ClauseKind, MethodBody, MethodDefId};

use crate::emit::{Emitted, PROBE_STACK};
use crate::error::{Error, Result};

const FAT: u16 = 0x3;
const MORE_SECTIONS: u16 = 0x8;
const INIT_LOCALS: u16 = 0x10;
/// In units of four bytes, in the upper bits of the flags.
const HEADER_SIZE: u16 = 3;
const FAT_EXCEPTIONS: u32 = 0x41;

/// `out` ends where a body may begin: at a multiple of four. Returns where the code lies.
pub(crate) fn write(
    out: &mut Vec<u8>,
    method: MethodDefId,
    body: &MethodBody<'_>,
    emitted: &Emitted,
) -> Result<Range<usize>> {
    let mut flags = FAT | HEADER_SIZE << 12;
    if !body.clauses.is_empty() {
        flags |= MORE_SECTIONS;
    }
    if body.init_locals {
        flags |= INIT_LOCALS;
    }
    let too_large = |what| Error::MethodTooLarge { method, what };
    let max_stack = body.max_stack.checked_add(PROBE_STACK).ok_or_else(|| too_large("its stack"))?;
    let code_size = u32::try_from(emitted.code.len()).map_err(|_| too_large("its code"))?;
    out.extend(flags.to_le_bytes());
    out.extend(max_stack.to_le_bytes());
    out.extend(code_size.to_le_bytes());
    out.extend(body.local_var_sig.map_or(0, |id| id.token().raw()).to_le_bytes());
    let code = out.len()..out.len() + emitted.code.len();
    out.extend_from_slice(&emitted.code);
    if !body.clauses.is_empty() {
        out.resize(out.len().next_multiple_of(4), 0);
        clauses(out, method, body, emitted)?;
    }
    Ok(code)
}

fn clauses(out: &mut Vec<u8>, method: MethodDefId, body: &MethodBody<'_>, emitted: &Emitted) -> Result<()> {
    let size = u32::try_from(4 + 24 * body.clauses.len()).ok().filter(|size| *size < 1 << 24);
    let what = "its table of exception clauses";
    let size = size.ok_or(Error::MethodTooLarge { method, what })?;
    out.extend((FAT_EXCEPTIONS | size << 8).to_le_bytes());
    let moved = |offset: u32| {
        let what = "an exception clause";
        emitted.label(offset).ok_or(Error::InsideInstruction { method, offset, what })
    };
    for clause in &body.clauses {
        let (kind, last) = match clause.kind {
            ClauseKind::Catch(token) => (0, token.raw()),
            ClauseKind::Filter(start) => (1, moved(start)?),
            ClauseKind::Finally => (2, 0),
            ClauseKind::Fault => (4, 0),
        };
        out.extend(u32::to_le_bytes(kind));
        for range in [clause.try_range, clause.handler] {
            let (start, end) = (moved(range.start)?, moved(range.end)?);
            out.extend(start.to_le_bytes());
            out.extend(end.saturating_sub(start).to_le_bytes());
        }
        out.extend(last.to_le_bytes());
    }
    Ok(())
}
