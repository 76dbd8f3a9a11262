//! The child and all that it starts are one process group: it is limited and killed as a whole.

use std::process::{Child, Command};

use crate::Limits;

#[cfg(unix)]
#[allow(unsafe_code)] // `setrlimit` between fork and exec, and `kill` of a group: two calls of libc
mod system {
    use std::{os::unix::process::CommandExt, process::Command};

    pub fn prepare(command: &mut Command, data_bytes: u64) {
        command.process_group(0);
        let limit = |resource, bytes: u64| {
            let limit = libc::rlimit { rlim_cur: bytes as libc::rlim_t, rlim_max: bytes as libc::rlim_t };
            // SAFETY: a plain system call on a value that lives on this stack. A limit that cannot be set is no
            // reason to fail: the heap limit of the runtime and the time limit stay.
            unsafe { libc::setrlimit(resource, &limit) };
        };
        // SAFETY: only async-signal-safe calls, no allocation.
        unsafe {
            command.pre_exec(move || {
                limit(libc::RLIMIT_CORE, 0);
                limit(libc::RLIMIT_DATA, data_bytes);
                Ok(())
            });
        }
    }

    pub fn kill_group(leader: u32) {
        let Ok(group) = libc::pid_t::try_from(leader) else { return };
        // SAFETY: a plain system call; the group has the id of a child of ours that is not yet waited for.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}

pub fn prepare(command: &mut Command, limits: &Limits) {
    #[cfg(unix)]
    // Beside the managed heap: the runtime's own structures, compiled code, stacks.
    system::prepare(command, limits.heap_bytes.saturating_mul(2).saturating_add(1 << 30));
    #[cfg(not(unix))]
    let _ = (command, limits);
}

/// Kills the child with everything it started, and waits for it.
pub fn kill(child: &mut Child) {
    #[cfg(unix)]
    system::kill_group(child.id());
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}
