//! Where exceptions come from, in words that outlive a change of other code: a group is named by what the instruction does
//! and not by where it stands, so that a baseline holds for more than one build.

use cil::{Instruction, Operand};
use explore::Finding;
use types::{Member, MethodId, MethodKind, Universe};

use crate::session::backend::CauseSite;
use crate::subject::sources::Sources;

/// Names the places that exceptions of one method come from.
pub(crate) struct Sites<'a> {
    pub universe: &'a Universe,
    pub sources: &'a Sources,
    /// The method under test.
    pub method: MethodId,
}

impl Sites<'_> {
    /// Nothing if the place has no code in a file.
    pub fn cause(&self, finding: &Finding, exception: &str) -> Option<CauseSite> {
        let place = finding.place;
        let definition = self.universe.method_definition(place.method).ok()?;
        let MethodKind::Def { def, .. } = self.universe.method(definition).kind else { return None };
        let method = self.written_in(definition);
        let what = self.instruction(definition, place.il_offset).unwrap_or_default();
        let source = self.sources.line(def, place.il_offset);
        Some(CauseSite {
            group: format!("{exception} in {method} at {what}"),
            method,
            at: place.il_offset,
            source,
        })
    }

    /// The method that somebody wrote the code in: lambdas and state machines are parts of it.
    fn written_in(&self, definition: MethodId) -> String {
        let id = self.universe.method_id(definition);
        if !explore::is_made(self.universe, definition) {
            return id;
        }
        let is_part = |part: explore::Part| part.method == definition;
        match explore::parts_of(self.universe, self.method).into_iter().any(is_part) {
            true => {
                self.universe.method_id(self.universe.method_definition(self.method).unwrap_or(self.method))
            }
            false => name_behind(&id).unwrap_or(id),
        }
    }

    /// `callvirt System.String::get_Length()`, and which of several if the method has it more than once.
    fn instruction(&self, method: MethodId, offset: u32) -> Option<String> {
        let body = self.universe.body(method).ok()??;
        let all: Vec<Instruction<'_>> = body.instructions().map_while(Result::ok).collect();
        let at = all.iter().position(|instruction| instruction.offset == offset)?;
        let what = self.words(method, all.get(at)?);
        let before = all.get(..at)?.iter().filter(|other| self.words(method, other) == what).count();
        Some(if before == 0 { what } else { format!("{what} #{}", before + 1) })
    }

    fn words(&self, method: MethodId, instruction: &Instruction<'_>) -> String {
        let name = instruction.opcode.name();
        let Operand::Token(token) = instruction.operand else { return name.to_owned() };
        match self.universe.resolve_member_token(method, token) {
            Ok(Member::Method(callee)) => format!("{name} {}", self.universe.method_id(callee)),
            Ok(Member::Field(field)) => {
                let field = self.universe.field(field);
                format!("{name} {}::{}", self.universe.type_name(field.owner), field.name)
            }
            Ok(Member::Type(ty)) => format!("{name} {}", self.universe.type_name(ty)),
            Err(_) => name.to_owned(),
        }
    }
}

/// `Shop.Cart+<Load>d__3::MoveNext()` → `Shop.Cart::Load`.
fn name_behind(id: &str) -> Option<String> {
    let (owner, _) = id.split_once("+<").or_else(|| id.split_once("::<"))?;
    let (_, made) = id.split_at_checked(owner.len())?;
    let named = made.split('<').filter_map(|part| part.split_once('>'));
    let name = named.map(|(name, _)| name).find(|name| !name.is_empty())?;
    Some(format!("{owner}::{name}"))
}

#[cfg(test)]
mod tests {
    use super::name_behind;

    #[test]
    fn made_methods_have_the_names_of_those_they_are_parts_of() {
        let check = |id: &str, name: &str| assert_eq!(name_behind(id).as_deref(), Some(name), "{id}");
        check("Shop.Cart+<Load>d__3::MoveNext()", "Shop.Cart::Load");
        check("Shop.Cart+<>c::<Sum>b__2_0(System.Int32)", "Shop.Cart::Sum");
        check("Shop.Cart::<Total>g__Add|4_0(System.Int32)", "Shop.Cart::Total");
        check("Shop.Cart+<>c__DisplayClass1_0+<<Run>b__0>d::MoveNext()", "Shop.Cart::Run");
        assert_eq!(name_behind("Shop.Cart::Total()"), None);
    }
}
