//! What a test does with a result that is not the end of the work: it awaits a task, it puts the items of a sequence into a
//! list, in a loop of its own where no constructor does that.

use case::type_name::TypeName;
use case::{Consume, ObjectKind, Outcome, Value};

use crate::call::Call;
use crate::test::{TestWriter, Written};

const LIST: &str = "System.Collections.Generic.List`1";

impl TestWriter<'_> {
    /// The call and the use of its result, with the type of what comes of it.
    pub(super) fn consumed(&mut self, call: Call) -> Written<(Call, String)> {
        let returns = self.case.method.returns.clone();
        let name = TypeName::parse(&returns).ok_or_else(|| format!("`{returns}` is no type name"))?;
        let item = name.arguments.first().map(ToString::to_string);
        match self.case.consume {
            None | Some(Consume::EnumerateAsync { .. } | Consume::Advance { .. }) => Ok((call, returns)),
            Some(Consume::Await) => {
                let call = Call { text: format!("await {}", call.text), is_statement: true, is_task: true };
                Ok((call, item.unwrap_or_else(|| "System.Void".to_owned())))
            }
            Some(Consume::Enumerate { at_most }) => {
                let mut sequence = call.text;
                let list = format!("{LIST}[{}]", item.as_deref().unwrap_or("System.Object"));
                let Some(shown) = self.public_name(&list) else {
                    let hidden = self.type_expression(&list)?;
                    let text = format!("Reflected.Items({hidden}, {sequence}, {at_most})");
                    return Ok((Call { text, is_statement: true, is_task: false }, list));
                };
                if item.is_none() {
                    let all = self.scope.known("System.Linq.Enumerable");
                    sequence = format!("{all}.Cast<object>({sequence})");
                }
                if self.goes_on(at_most) {
                    let all = self.scope.known("System.Linq.Enumerable");
                    sequence = format!("{all}.Take({sequence}, {at_most})");
                }
                let text = format!("new {shown}({sequence})");
                Ok((Call { text, is_statement: true, is_task: false }, list))
            }
        }
    }

    /// The loop over an asynchronous sequence or an enumerator, if the result is one; whether it was.
    pub(super) fn act_in_loop(&mut self, call: &Call) -> Written<bool> {
        let (at_most, is_async) = match self.case.consume {
            Some(Consume::EnumerateAsync { at_most }) => (at_most, true),
            Some(Consume::Advance { at_most }) => (at_most, false),
            None | Some(Consume::Await | Consume::Enumerate { .. }) => return Ok(false),
        };
        let returns = self.case.method.returns.clone();
        let name = TypeName::parse(&returns).filter(|_| self.public_name(&returns).is_some());
        let name = name.ok_or_else(|| format!("{returns} is not public"))?;
        if is_async && !self.dialect.knows_nullability {
            return Err("asynchronous sequences need C# 8".to_owned());
        }
        self.is_async = is_async;
        if let Outcome::Throws(thrown) = &self.case.expect.outcome {
            self.assert_loop_throws(&thrown.ty, call, is_async, name.arguments.is_empty())?;
            return Ok(true);
        }
        let item = name.arguments.first().map_or_else(|| "System.Object".to_owned(), ToString::to_string);
        let list = format!("{LIST}[{item}]");
        let shown = self.public_name(&list).ok_or_else(|| format!("{item} is not public"))?;
        let result = self.fresh("result");
        self.act.push(format!("var {result} = new {shown}();"));
        let goes_on = self.goes_on(at_most);
        if is_async {
            let item = self.fresh("item");
            self.act.push(format!("await foreach (var {item} in {})", call.text));
            self.act.extend(["{".to_owned(), format!("    {result}.Add({item});")]);
            self.act.extend(goes_on.then(|| format!("    if ({result}.Count == {at_most}) break;")));
            self.act.push("}".to_owned());
        } else {
            let position = self.fresh("position");
            let more = if goes_on { format!("{result}.Count < {at_most} && ") } else { String::new() };
            let steps = format!("while ({more}{position}.MoveNext()) {result}.Add({position}.Current);");
            self.act.extend(around_position(&position, call, steps, name.arguments.is_empty()));
        }
        if let Outcome::Returns(value) = &self.case.expect.outcome {
            self.assert_value(value, &list, &result)?;
        }
        Ok(true)
    }

    fn assert_loop_throws(
        &mut self,
        exception: &str,
        call: &Call,
        is_async: bool,
        is_plain: bool,
    ) -> Written<()> {
        let name = self.public_name(exception);
        let name = name.ok_or_else(|| format!("{exception} is not public, and comes out of a loop"))?;
        let line = if is_async {
            let lambda = format!("async () => {{ await foreach (var _ in {}) {{ }} }}", call.text);
            let (line, is_awaited) = self.dialect.throws_awaited(&name, &lambda);
            self.is_async = is_awaited;
            line
        } else {
            let position = self.fresh("position");
            let steps = format!("while ({position}.MoveNext()) _ = {position}.Current;");
            let lines = around_position(&position, call, steps, is_plain);
            let body: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
            self.dialect.throws(&name, &format!("() => {{ {} }}", body.join(" ")))
        };
        self.act.push(line);
        Ok(())
    }

    /// Whether the sequence may have more items than were taken.
    fn goes_on(&self, at_most: u32) -> bool {
        let count = match &self.case.expect.outcome {
            Outcome::Throws(_) => return false,
            Outcome::Returns(Value::Object(id)) => {
                let after = &self.case.expect.after.objects;
                after.iter().find(|object| object.id == *id).and_then(|object| match &object.kind {
                    ObjectKind::Collection(items) => Some(items.items.len()),
                    _ => None,
                })
            }
            _ => None,
        };
        count.is_none_or(|count| count >= at_most as usize)
    }

    /// An exception that comes out of a task.
    pub(super) fn assert_throws_awaited(&mut self, exception: &str, call: &Call) -> Written<()> {
        let Some(name) = self.public_name(exception) else {
            return Err(format!("{exception} is not public, and comes out of a task"));
        };
        let (line, is_awaited) = self.dialect.throws_awaited(&name, &format!("async () => {}", call.text));
        self.is_async = is_awaited;
        self.act.push(line);
        Ok(())
    }
}

/// Steps over an enumerator; one that need not be disposed of cannot be.
fn around_position(position: &str, call: &Call, steps: String, is_plain: bool) -> Vec<String> {
    let text = &call.text;
    if is_plain {
        return vec![format!("var {position} = {text};"), steps];
    }
    let using = format!("using (var {position} = {text})");
    vec![using, "{".to_owned(), format!("    {steps}"), "}".to_owned()]
}
