//! What the tests of this crate share.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

use testkit::Toolchain;
use types::{AssemblyId, MethodId, Probing, Universe};

pub fn toolchain() -> Toolchain {
    Toolchain::locate().expect("the toolchain (cargo xtask setup)")
}

/// A universe with a framework only.
pub fn universe(runtime: &Path) -> Universe {
    let probing = Probing::for_application(Path::new("/nowhere/app.dll"), Some(runtime)).unwrap();
    Universe::new(probing)
}

/// A universe for a program, with the framework of the toolchain.
pub fn universe_for(application: &Path) -> Universe {
    Universe::new(Probing::for_application(application, Some(toolchain().runtime_root())).unwrap())
}

/// Everything that can be asked about an assembly, counted; and what went wrong.
#[derive(Debug, Default)]
pub struct Census {
    pub types: usize,
    pub methods: usize,
    pub tokens: usize,
    pub layouts: usize,
    pub errors: Vec<String>,
}

impl Census {
    pub fn take(u: &Universe, a: AssemblyId) -> Census {
        let mut census = Census::default();
        for t in u.type_defs(a) {
            let Some(t) = census.check(t) else { continue };
            census.types += 1;
            census.check(u.base(t));
            census.check(u.interfaces(t));
            census.check(u.vtable(t));
            if u.type_args(t).is_empty() && !u.is_interface(t) {
                census.layouts += 1;
                census.check(u.layout(t));
            }
            for &f in census.check(u.fields(t)).unwrap_or_default() {
                census.check(u.field_type(f));
                census.check(u.field_constant(f));
            }
            for &m in census.check(u.methods(t)).unwrap_or_default() {
                census.methods += 1;
                census.method(u, m);
            }
        }
        census
    }

    fn method(&mut self, u: &Universe, m: MethodId) {
        self.check(u.signature(m));
        self.check(u.locals(m));
        let Some(Some(body)) = self.check(u.body(m)) else { return };
        for instruction in body.instructions() {
            let Ok(instruction) = instruction else { break };
            let cil::Operand::Token(token) = instruction.operand else { continue };
            self.tokens += 1;
            if token.user_string_offset().is_some() {
                self.check(u.user_string(m, token));
            } else if token.table() == Some(cil::TableId::StandAloneSig) {
                self.check(u.resolve_signature(m, token));
            } else {
                self.check(u.resolve_member_token(m, token));
            }
        }
    }

    fn check<T>(&mut self, result: types::Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                let error = error.to_string();
                if self.errors.len() < 50 && !self.errors.contains(&error) {
                    self.errors.push(error);
                }
                None
            }
        }
    }
}
