//! What an exploration tells those who watch it. Nothing is put into words unless somebody listens.
//!
//! Spans at the level `TRACE` tell nothing themselves: they say what the events inside of them are about.

use solver::{Answer, Why};
use term::Term;
use tracing::{Level, Span};
use verdict::Gap;
use vm::{Choice, PathEnd, Place, State};

use super::{Node, Run};
use crate::decision::Decision;
use crate::names::InputNames;
use crate::places;
use crate::words::type_name;

/// Of every span and event.
const TARGET: &str = "cilantro";

fn somebody_listens() -> bool {
    tracing::enabled!(target: TARGET, Level::DEBUG)
}

impl Run<'_> {
    /// One turn of a path: from where it waited to its end or to the next wait.
    pub(super) fn on_path(&self, node: &Node) -> Span {
        tracing::debug_span!(
            target: TARGET,
            "path",
            path = node.number,
            parent = node.parent,
            place = %self.place(&node.state),
            waiting = self.frontier.len(),
        )
    }

    /// A question about a path.
    pub(super) fn asking(&self, why: &'static str, path: u64, state: &State) -> tracing::span::EnteredSpan {
        tracing::trace_span!(
            target: TARGET,
            "asking",
            why,
            path,
            place = %self.place(state),
            line = self.line(state),
        )
        .entered()
    }

    pub(super) fn tell_decided(&mut self, guard: Term, answer: Option<&Answer>) {
        if !somebody_listens() {
            return;
        }
        let verdict = match answer {
            Some(Answer::Sat(_)) => "possible",
            Some(Answer::Unsat(_)) => "impossible",
            Some(Answer::Unknown(Why::ConflictLimit | Why::GateLimit)) => "hard",
            Some(Answer::Unknown(_)) => "unknown",
            None => "long",
        };
        let condition = self.names().text(guard);
        tracing::debug!(name: "decided", target: TARGET, verdict, condition);
    }

    pub(super) fn tell_fork(&mut self, node: &Node, choices: &[Choice]) {
        if !somebody_listens() {
            return;
        }
        let taken =
            choices.iter().find(|choice| self.evaluator.eval(&self.machine.terms, choice.guard).is_true());
        let (universe, home) = (self.machine.universe.clone(), self.home);
        let condition = taken.map(|choice| {
            let decision = Decision::of(&universe, &node.state, home, choice.guard, &choice.action);
            self.names().decision(&decision)
        });
        tracing::debug!(
            name: "fork",
            target: TARGET,
            guards = choices.len(),
            taken = condition,
            place = %self.place(&node.state),
            line = self.line(&node.state),
        );
    }

    pub(super) fn tell_concretized(&mut self, node: &Node, term: Term, value: u128) {
        if !somebody_listens() {
            return;
        }
        let text = self.names().text(term);
        tracing::debug!(
            name: "concretized",
            target: TARGET,
            term = text,
            value = value as u64,
            place = %self.place(&node.state),
            line = self.line(&node.state),
        );
    }

    pub(super) fn tell_end(&self, node: &Node, end: &PathEnd, kept: bool) {
        let goals = || node.state.coverage.goals().len();
        tracing::debug!(name: "ended", target: TARGET, end = %self.ended(end), kept, goals = goals());
    }

    /// A path was run once more with known values: because it could not be explored, or for the text that it makes.
    pub(super) fn tell_followed(&self, name: &'static str, path: u64, end: Option<&PathEnd>) {
        let end = || end.map_or_else(|| "nowhere".to_owned(), |end| self.ended(end));
        match name {
            "rescued" => tracing::debug!(name: "rescued", target: TARGET, path, end = %end()),
            _ => tracing::debug!(name: "followed", target: TARGET, path, end = %end()),
        }
    }

    /// Something is missing in the answer.
    pub(super) fn leave_out(&mut self, gap: Gap, at: Option<Place>) {
        if somebody_listens() && !self.incomplete.contains(&(gap.clone(), at)) {
            let place = at.map(|at| self.described(at));
            let line =
                at.and_then(|at| places::line(&self.machine.universe, at)).map(|line| line.to_string());
            tracing::debug!(
                name: "left_out",
                target: TARGET,
                reason = gap.reason.name(),
                detail = gap.detail,
                place,
                line,
            );
        }
        self.incomplete.insert((gap, at));
    }

    /// A path was followed to its end, and no test can show it.
    pub(super) fn note_unshown(&mut self, gap: Gap, at: Option<Place>) {
        if !self.incomplete.contains(&(gap.clone(), at)) {
            self.leave_out(gap.clone(), at);
            self.incomplete.remove(&(gap.clone(), at));
            self.unshown.insert((gap, at));
        }
    }

    fn names(&mut self) -> InputNames<'_> {
        InputNames::kept(self.machine, self.code.method, &mut self.names)
    }

    fn ended(&self, end: &PathEnd) -> String {
        match end {
            PathEnd::Returned(_) => "returns".to_owned(),
            PathEnd::Threw { ty, .. } => format!("throws {}", type_name(&self.machine.universe, *ty)),
            PathEnd::Exited(code) => format!("exits with {code}"),
            PathEnd::Incomplete { gap, .. } => format!("is given up: {gap}"),
            PathEnd::Impossible => "is impossible".to_owned(),
        }
    }

    fn place(&self, state: &State) -> String {
        self.described(state.place())
    }

    fn line(&self, state: &State) -> Option<String> {
        Some(places::line(&self.machine.universe, state.place())?.to_string())
    }

    /// `IL_0004`, after the name of the method if that is another than the one under test.
    fn described(&self, place: Place) -> String {
        let offset = places::offset(place);
        if place.method == self.code.method {
            return offset;
        }
        format!("{} {offset}", self.machine.universe.method_id(place.method))
    }
}
