//! A toolchain that is not there is asked for by name.

use testkit::{Layout, Toolchain};

#[test]
fn an_empty_cache_says_what_to_do() {
    let cache = tempfile::tempdir().unwrap();
    let error = Toolchain::in_layout(Layout { cache: cache.path().to_path_buf() }).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("the .NET runtime") && message.contains("run `cargo xtask setup`"), "{message}");
}

#[test]
fn a_lock_is_exclusive_until_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x/y.lock");
    let lock = testkit::Lock::acquire(&path, || panic!("nobody has it yet")).unwrap();
    std::thread::scope(|scope| {
        let (sender, receiver) = std::sync::mpsc::channel();
        scope.spawn({
            let path = &path;
            move || drop(testkit::Lock::acquire(path, || sender.send(()).unwrap()).unwrap())
        });
        // Only a waiting thread sends.
        receiver.recv().unwrap();
        drop(lock);
    });
}
