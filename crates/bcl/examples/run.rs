//! Runs a C# file or a compiled program in the machine; shows where it stopped if it did. `--dll` only prints where the
//! compiled program is.

#![allow(clippy::print_stderr, clippy::unwrap_used)]

use std::path::PathBuf;
use std::rc::Rc;

use testkit::{Options, Target, Toolchain};
use types::{Probing, Universe};
use vm::host::{Folder, Overlay, ProcessHost, World};
use vm::program::{self, Ending, Limits};
use vm::{Config, Machine};

fn main() {
    let mut args = std::env::args().skip(1);
    let mut dll = PathBuf::from(args.next().unwrap());
    let only_compile = dll.as_os_str() == "--dll";
    if only_compile {
        dll = PathBuf::from(args.next().unwrap());
    }
    if dll.extension().is_some_and(|extension| extension == "cs") {
        let options = Options { target: Target::Exe, allow_unsafe: true, ..Options::default() };
        let name = dll.file_stem().unwrap().to_string_lossy().into_owned();
        dll = testkit::compile(&name, &[dll.as_path()], &options).unwrap();
    }
    if only_compile {
        eprintln!("{}", dll.display());
        return;
    }
    let toolchain = Toolchain::locate().unwrap();
    // `DOTNET` names another runtime than the newest.
    let runtime = std::env::var_os("DOTNET").map_or(toolchain.dotnet(), PathBuf::from);
    let probing = Probing::for_application(&dll, Some(&runtime)).unwrap();
    let universe = Rc::new(Universe::new(probing));
    // `VECTOR_BITS` is the width of `Vector<T>`.
    if let Some(bits) = std::env::var("VECTOR_BITS").ok().and_then(|bits| bits.parse().ok()) {
        universe.set_vector_bits(bits);
    }
    let assembly = universe.load(&dll).unwrap();
    let arguments: Vec<String> = args.collect();
    let mut command_line = vec![dll.display().to_string()];
    command_line.extend(arguments.iter().cloned());
    let mut machine = Machine::new(universe, &bcl::ClassLibrary, Config::for_programs());
    // `SANDBOX` names a folder that the program may read.
    let folder = std::env::var_os("SANDBOX").map(|folder| Folder::new(folder.as_ref()).unwrap());
    let here = std::env::current_dir().unwrap();
    let current = folder.as_ref().map_or(here.as_path(), Folder::root).display().to_string();
    // With `WRITABLE` it may write there too, which nobody sees.
    let overlay = folder.clone().filter(|_| std::env::var_os("WRITABLE").is_some());
    let overlay = overlay.map(|folder| Rc::new(Overlay::new(folder, 0)));
    let world = World { command_line, folder, overlay, current_directory: current, ..World::default() };
    machine.host = Box::new(ProcessHost { world: Rc::new(world) });
    match program::run(&mut machine, assembly, &arguments, Limits::NONE) {
        Ending::Exited(code) => std::process::exit(code),
        Ending::Stopped { gap, stack } => {
            eprintln!("stopped: {gap:?}");
            for frame in stack.iter().take(30) {
                eprintln!("  {frame}");
            }
            std::process::exit(3);
        }
    }
}
