//! Static fields, environment variables and standard input around a test: what they held is kept first, they are set just
//! before the call (those of the process before anything is made), and put back at the end whatever happens. Where a member
//! is not public, reflection does it.

use crate::identifier;
use crate::literal::{self, Wanted};
use crate::test::{TestWriter, Written};
use crate::words::field_word;
use case::type_facts::{Member, Writable};
use case::{StaticBefore, construct};

/// The statements of a test that are about static fields.
#[derive(Default)]
pub(super) struct AroundStatics {
    pub keep: Vec<String>,
    /// Before anything is made.
    pub give: Vec<String>,
    pub set: Vec<String>,
    pub put_back: Vec<String>,
}

/// How a test writes a static field.
enum Access {
    /// Its name with the type before it, and the type of the member.
    Direct { target: String, ty: String },
    /// The type and the name as arguments.
    Reflected(String),
}

impl TestWriter<'_> {
    pub(super) fn around_statics(&mut self) -> Written<AroundStatics> {
        let mut around = AroundStatics::default();
        self.around_outside(&mut around)?;
        for field in &self.case.statics {
            if field.elements {
                self.around_elements(field, &mut around)?;
                continue;
            }
            let access = self.static_access(field)?;
            let kept = self.fresh(&format!("{}Before", field_word(&field.name)));
            let value = self.static_value(field, &access);
            match access {
                Access::Direct { target, .. } => {
                    around.keep.push(format!("var {kept} = {target};"));
                    around.set.extend(value.map(|value| format!("{target} = {value};")));
                    around.put_back.push(format!("{target} = {kept};"));
                }
                Access::Reflected(field) => {
                    around.keep.push(format!("object {kept} = Reflected.GetStatic({field});"));
                    around.set.extend(value.map(|value| format!("Reflected.SetStatic({field}, {value});")));
                    around.put_back.push(format!("Reflected.SetStatic({field}, {kept});"));
                }
            }
        }
        Ok(around)
    }

    /// Environment variables and standard input are there before anything is made.
    fn around_outside(&mut self, around: &mut AroundStatics) -> Written<()> {
        let outside = &self.case.outside;
        for variable in &outside.environment {
            let environment = self.scope.known("System.Environment");
            let name = literal::string_literal(&variable.name.encode_utf16().collect::<Vec<_>>());
            let kept = self.fresh(&format!("{}Before", variable_word(&variable.name)));
            let value = self.value(&variable.value, "System.String", Wanted::Converted, &variable.name)?;
            around.keep.push(format!("var {kept} = {environment}.GetEnvironmentVariable({name});"));
            around.give.push(format!("{environment}.SetEnvironmentVariable({name}, {value});"));
            around.put_back.push(format!("{environment}.SetEnvironmentVariable({name}, {kept});"));
        }
        if let Some(text) = &outside.console {
            let (console, reader) =
                (self.scope.known("System.Console"), self.scope.known("System.IO.StringReader"));
            let kept = self.fresh("inputBefore");
            let text = self.value(text, "System.String", Wanted::Converted, "input")?;
            around.keep.push(format!("var {kept} = {console}.In;"));
            around.give.push(format!("{console}.SetIn(new {reader}({text}));"));
            around.put_back.push(format!("{console}.SetIn({kept});"));
        }
        Ok(())
    }

    /// The array stays, its elements come back.
    fn around_elements(&mut self, field: &StaticBefore, around: &mut AroundStatics) -> Written<()> {
        let array = self.scope.known("System.Array");
        let got = match self.static_member(field, |_| true) {
            Some((target, _)) => target,
            None => format!("({array})Reflected.GetStatic({})", self.reflected_static(field)?),
        };
        let word = field_word(&field.name);
        let (local, kept) = (self.fresh(&word), self.fresh(&format!("{word}Before")));
        around.keep.push(format!("var {local} = {got};"));
        around.keep.push(format!("var {kept} = ({array}){local}.Clone();"));
        around.put_back.push(format!("{array}.Copy({kept}, {local}, {kept}.Length);"));
        Ok(())
    }

    /// What it is set to. Where that cannot be written the field stays as it is: whether that will do is seen when the test
    /// is run.
    fn static_value(&mut self, field: &StaticBefore, access: &Access) -> Option<String> {
        let value = field.value.as_ref()?;
        match access {
            Access::Direct { ty, .. } => self.value(value, ty, Wanted::Converted, &field.name).ok(),
            Access::Reflected(_) => self.value(value, "", Wanted::Exact, &field.name).ok(),
        }
    }

    fn static_access(&mut self, field: &StaticBefore) -> Written<Access> {
        match self.static_member(field, |member| member.writable == Writable::Always) {
            Some((target, ty)) => Ok(Access::Direct { target, ty }),
            None => Ok(Access::Reflected(self.reflected_static(field)?)),
        }
    }

    /// A public member that shows the field, with its type before it, and the type of the member.
    fn static_member(
        &mut self,
        field: &StaticBefore,
        will_do: impl Fn(&Member) -> bool,
    ) -> Option<(String, String)> {
        let info = self.info_of(&field.declaring);
        let is_field = |m: &&Member| m.is_static && m.readable && m.field.name == field.name && will_do(m);
        let member = info.members.iter().find(is_field)?;
        let (shown, name) = (identifier::written(&member.name)?, self.public_name(&field.declaring)?);
        self.scope.warned(&member.diagnostics);
        Some((format!("{name}.{shown}"), construct::filled_in(&member.ty, &field.declaring)))
    }

    /// The type and the name, as reflection takes them.
    fn reflected_static(&mut self, field: &StaticBefore) -> Written<String> {
        self.note_reflection(format!("the static field {} is not public", field.name));
        let ty = self.type_expression(&field.declaring)?;
        Ok(format!("{ty}, \"{}\"", field.name))
    }
}

/// `APP_MODE` → `appMode`.
fn variable_word(name: &str) -> String {
    let mut word = String::new();
    for part in name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()) {
        let is_loud = !part.contains(|c: char| c.is_ascii_lowercase());
        let part = if is_loud { part.to_ascii_lowercase() } else { part.to_owned() };
        let (first, rest) = part.split_at(1);
        let first = if word.is_empty() { first.to_ascii_lowercase() } else { first.to_ascii_uppercase() };
        word.push_str(&first);
        word.push_str(rest);
    }
    if word.starts_with(|c: char| c.is_ascii_alphabetic()) { word } else { format!("variable{word}") }
}

impl AroundStatics {
    /// The lines of a test between keeping and putting back.
    pub fn wrap(self, lines: Vec<String>) -> Vec<String> {
        if self.put_back.is_empty() {
            return lines;
        }
        let inside = |line: String| if line.is_empty() { line } else { format!("    {line}") };
        let mut all = self.keep;
        all.extend(["try".to_owned(), "{".to_owned()]);
        let gap = (!self.give.is_empty()).then(String::new);
        all.extend(self.give.into_iter().chain(gap).chain(lines).map(inside));
        all.extend(["}".to_owned(), "finally".to_owned(), "{".to_owned()]);
        all.extend(self.put_back.into_iter().map(inside));
        all.push("}".to_owned());
        all
    }
}
