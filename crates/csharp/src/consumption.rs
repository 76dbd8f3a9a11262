//! What a test does with a result that is not the end of the work: it awaits a task, it puts the items of a sequence into a
//! list.

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
            None => Ok((call, returns)),
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
