#!/usr/bin/env bash
# Puts `cilantro` on the PATH of a job: the one that is there, or built from this folder with Cargo.
# Says the folder of the program on stdout; everything else goes to stderr.
set -euo pipefail
source_folder="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
if ! found="$(command -v cilantro)"; then
    if ! command -v cargo >/dev/null; then
        echo "cilantro is not installed, and there is no cargo to build it with; install Rust (https://rustup.rs) first" >&2
        exit 2
    fi
    cargo install --locked --path "$source_folder/crates/cilantro" >&2
    found="${CARGO_HOME:-$HOME/.cargo}/bin/cilantro"
fi
"$found" --version >&2
dirname "$found"
