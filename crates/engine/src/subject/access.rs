//! Who can call a method: what a test in another project sees of an assembly.

use cil::attribute::Argument;
use cil::{MethodDefId, Module, RowRef, Token, TypeDefId};

use crate::subject::catalog::outwards;

/// From the narrowest to the widest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Some code of the assembly and, at most, classes that derive from its own.
    Private,
    /// The assembly and its friends.
    Internal,
    #[default]
    Public,
}

/// Which methods are entry points: those that a test can call, or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// What is public, and what is internal if a test project is a friend.
    #[default]
    Callable,
    /// What is internal as well.
    Internals,
    /// Everything.
    Private,
}

impl Scope {
    /// The narrowest access of an entry point.
    pub fn least(self, module: &Module) -> Access {
        match self {
            Scope::Private => Access::Private,
            Scope::Internals => Access::Internal,
            Scope::Callable if friends(module).iter().any(Friend::may_be_tests) => Access::Internal,
            Scope::Callable => Access::Public,
        }
    }
}

/// An assembly that sees what is internal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Friend {
    pub name: String,
    /// Hexadecimal digits; only an assembly that is signed with this key is the friend.
    pub public_key: Option<String>,
}

impl Friend {
    /// `Shop.Tests`, `Shop.Tests, PublicKey=0024…`.
    fn parse(text: &str) -> Friend {
        let mut parts = text.split(',').map(str::trim);
        let name = parts.next().unwrap_or_default().to_owned();
        let mut key = None;
        for part in parts {
            let Some((word, value)) = part.split_once('=') else { continue };
            let (word, value) = (word.trim(), value.trim());
            if word.eq_ignore_ascii_case("PublicKey") && !value.eq_ignore_ascii_case("null") {
                key = Some(value.to_owned());
            }
        }
        Friend { name, public_key: key }
    }

    /// A project of tests by its name, and one that needs no key: what is written is not signed.
    fn may_be_tests(&self) -> bool {
        let name = self.name.to_ascii_lowercase();
        self.public_key.is_none() && (name.contains("test") || name.contains("spec"))
    }
}

/// `[assembly: InternalsVisibleTo("…")]`; what cannot be read names nobody.
pub fn friends(module: &Module) -> Vec<Friend> {
    const ASSEMBLY: u32 = 0x2000_0001;
    const NAME: (&str, &str) = ("System.Runtime.CompilerServices", "InternalsVisibleToAttribute");
    let mut friends = Vec::new();
    for id in module.custom_attributes(Token::from_raw(ASSEMBLY)) {
        let is_meant = module.attribute_type(id).is_ok_and(|ty| (ty.namespace, ty.name) == NAME);
        let value = is_meant.then(|| module.attribute_value(id, &mut |_| None).ok()).flatten();
        if let Some(Argument::String(Some(text))) = value.as_ref().and_then(|value| value.fixed.first()) {
            friends.push(Friend::parse(text));
        }
    }
    friends
}

/// The access of a method in itself, whatever the types around it are.
pub fn of_member(module: &Module, id: MethodDefId, owner: TypeDefId) -> Access {
    let Ok(row) = module.method_def(id) else { return Access::Private };
    // Whoever comes to the type runs it.
    if row.name == ".cctor" {
        return Access::Public;
    }
    match row.flags & 0x7 {
        0x6 => Access::Public,
        0x3 | 0x5 => Access::Internal,
        0x1 => implemented(module, id, owner).unwrap_or(Access::Private),
        _ => Access::Private,
    }
}

/// An explicit implementation is called through its interface, whose access it has.
fn implemented(module: &Module, id: MethodDefId, owner: TypeDefId) -> Option<Access> {
    let rows = module.method_impls_of(owner).filter_map(|row| module.method_impl(row).ok());
    let of_this = rows.filter(|row| row.body == id.token());
    let access = |declaration: Token| match declaration.row_ref()? {
        RowRef::MethodDef(method) => of_type(module, module.declaring_type_of_method(method).ok()??),
        RowRef::MemberRef(member) => match module.member_ref(member).ok()?.class.row_ref()? {
            RowRef::TypeDef(ty) => of_type(module, ty),
            // Of another assembly, or generic: the interface of somebody else, or one whose arguments decide.
            _ => Some(Access::Public),
        },
        _ => None,
    };
    of_this.filter_map(|row| access(row.declaration)).max()
}

/// The access of a type and of all types around it.
pub fn of_type(module: &Module, ty: TypeDefId) -> Option<Access> {
    let mut narrowest = Access::Public;
    for ty in outwards(module, ty) {
        let access = match module.type_def(ty).ok()?.flags & 0x7 {
            1 | 2 => Access::Public,
            0 | 5 | 7 => Access::Internal,
            _ => Access::Private,
        };
        narrowest = narrowest.min(access);
    }
    Some(narrowest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friends_have_names_and_keys() {
        let friend = Friend::parse("Shop.Tests");
        assert_eq!((friend.name.as_str(), friend.public_key.as_deref()), ("Shop.Tests", None));
        assert!(friend.may_be_tests());
        let signed = Friend::parse("Shop.Tests, PublicKey=00240000");
        assert_eq!((signed.name.as_str(), signed.public_key.as_deref()), ("Shop.Tests", Some("00240000")));
        assert!(!signed.may_be_tests(), "what is written is not signed");
        assert!(!Friend::parse("DynamicProxyGenAssembly2").may_be_tests());
        assert!(Friend::parse("Shop.Specs , PublicKey = null").may_be_tests());
    }
}
