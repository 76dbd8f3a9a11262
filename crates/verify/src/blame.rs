//! Which tests are to blame for what the compiler says: they are taken out until nothing is left to say.
//!
//! A place inside of a test blames the test. A place inside of a helper blames the helper and, by what the compiler knows
//! about names, every test that uses it. The head of a class blames the tests in it, and what is about none of these the
//! whole file. A `using` that does not work is simply dropped: who needed it shows up in the next round.

use std::{collections::BTreeSet, path::Path};

use crate::{
    Diagnostic,
    limits::{MAX_DIAGNOSTICS, MAX_ROUNDS},
    outline::{Kind, Reason, Reasons},
    service::{Desk, Session, Trouble},
};

/// Takes out what does not compile or is warned about, until the assembly is written without a word. What the compiler
/// says about the project as a whole comes back; an error among it means that there is no assembly.
pub(crate) fn build(
    desk: &mut Desk<'_>,
    assembly: &Path,
    reasons: &mut Reasons,
) -> Result<Vec<Diagnostic>, Trouble> {
    for round in 0..MAX_ROUNDS {
        // What changes later is looked at under all settings when it changes.
        let said = desk.emit(assembly, round == 0)?;
        let (placed, about_project): (Vec<Diagnostic>, Vec<Diagnostic>) =
            said.into_iter().partition(|diagnostic| diagnostic.item.is_some());
        if placed.is_empty() || about_project.iter().any(|diagnostic| diagnostic.error) {
            return Ok(about_project);
        }
        let gone = blamed(desk, &placed, false, reasons)?;
        without(desk, gone, reasons)?;
    }
    Err(Trouble::Broken("the files cannot be made to compile".to_owned()))
}

/// Takes out these parts, what is of no use without them, and what does not compile any more then.
pub(crate) fn without(
    desk: &mut Desk<'_>,
    gone: BTreeSet<usize>,
    reasons: &mut Reasons,
) -> Result<(), Trouble> {
    let mut gone = gone;
    for round in 0.. {
        let all: BTreeSet<usize> = desk.session.removed.union(&gone).copied().collect();
        gone.extend(desk.session.outline.useless(&all));
        if gone.is_empty() {
            break;
        }
        let affected = desk.session.affected(&gone);
        desk.remove(&gone)?;
        if affected.is_empty() {
            break;
        }
        let placed: Vec<Diagnostic> =
            desk.check(&affected)?.into_iter().filter(|diagnostic| diagnostic.item.is_some()).collect();
        if placed.is_empty() {
            break;
        }
        gone = blamed(desk, &placed, round >= MAX_ROUNDS, reasons)?;
        gone.retain(|part| !desk.session.removed.contains(part));
    }
    Ok(())
}

/// What is to go because of the diagnostics, with the reasons.
fn blamed(
    desk: &mut Desk<'_>,
    placed: &[Diagnostic],
    by_file: bool,
    reasons: &mut Reasons,
) -> Result<BTreeSet<usize>, Trouble> {
    let mut gone = BTreeSet::new();
    let mut open = BTreeSet::new();
    for diagnostic in placed {
        let Some(id) = diagnostic.item else { continue };
        let id = if by_file { whole_file(desk.session, id) } else { id };
        for part in desk.session.outline.below(id) {
            add_reason(reasons, part, diagnostic);
            gone.insert(part);
            if desk.session.outline.is(part, Kind::Helper) {
                open.insert(part);
            }
        }
    }
    // Who uses a helper goes with it, and so do that one's users in turn.
    while let Some(helper) = open.pop_first() {
        for user in desk.users(helper)? {
            pass_on(desk.session, reasons, helper, user);
            if gone.insert(user) && desk.session.outline.is(user, Kind::Helper) {
                open.insert(user);
            }
        }
    }
    Ok(gone)
}

fn whole_file(session: &Session, id: usize) -> usize {
    let file = session.outline.items.get(id).map(|item| item.file);
    file.and_then(|file| session.outline.file_item(file)).unwrap_or(id)
}

fn add_reason(reasons: &mut Reasons, part: usize, diagnostic: &Diagnostic) {
    let reason = reasons.entry(part).or_insert_with(|| Reason { diagnostics: Vec::new(), through: None });
    let same = |known: &Diagnostic| {
        known.id == diagnostic.id && known.line == diagnostic.line && known.column == diagnostic.column
    };
    // The same is said under several settings.
    if reason.diagnostics.len() < MAX_DIAGNOSTICS && !reason.diagnostics.iter().any(same) {
        reason.diagnostics.push(diagnostic.clone());
    }
}

/// A part has no reason of its own: it has the one of the helper.
fn pass_on(session: &Session, reasons: &mut Reasons, helper: usize, user: usize) {
    if reasons.contains_key(&user) {
        return;
    }
    let Some(reason) = reasons.get(&helper).cloned() else { return };
    let name = session.outline.items.get(helper).map(|item| item.name.clone());
    reasons.insert(user, Reason { through: reason.through.clone().or(name), ..reason });
}
