//! The questions that can be asked: one list, from which the client's list of tools and the dispatch are made.

use std::sync::Arc;

use engine::Error;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::job::Job;
use super::work;

/// A question and who answers it.
pub struct Question {
    pub tool: Tool,
    answer: Box<Answer>,
}

type Answer = dyn Fn(Value, &Job) -> Result<Value, Error> + Send + Sync;

/// All of them.
pub fn questions() -> Vec<Question> {
    vec![
        question(
            "generate_tests",
            "Generate tests for a method",
            "Tests for a .NET method, as a C# test project: for every branch that can be reached, and for every exception that \
             can leave the method. Each was run on the real runtime. What has no test is proven unreachable, or listed with the \
             reason. Nothing is written to the disk.",
            work::generate_tests,
        ),
        question(
            "what_can_crash",
            "What can crash",
            "The exceptions that can leave the methods of a .NET assembly, a type or a method, each with concrete inputs that \
             were replayed on the real runtime. is_everything says whether there are no others.",
            work::what_can_crash,
        ),
        question(
            "can_reach",
            "Can this line be reached",
            "Whether any input gets to a line, an instruction, a method or an exception: a test that was seen to get there, a \
             proof that none does, or the reasons why it is open.",
            work::can_reach,
        ),
        question(
            "prove",
            "Prove that no exception leaves a method",
            "A proof that no exception leaves a method but argument checks, or a replayed input with which one does, or the \
             reasons why it is open.",
            work::prove,
        ),
        question(
            "why_open",
            "Why is this branch open",
            "Which branches of a method have neither a test nor a proof that they are unreachable, why, and what can be done.",
            work::why_open,
        ),
        question(
            "explain_test",
            "Explain this test",
            "Why a test that `cilantro generate` wrote exists: what its path decides, line by line, and what no other test \
             shows.",
            work::explain_test,
        ),
    ]
}

impl Question {
    /// The answer to these arguments. What is wrong with them is said as if it were an answer: whoever asks can do better.
    pub fn answer(&self, arguments: Option<JsonObject>, job: &Job) -> Result<Value, Error> {
        let arguments = arguments.unwrap_or_default();
        let known = self.tool.input_schema.get("properties").and_then(Value::as_object);
        let is_known = |name: &&String| known.is_some_and(|known| known.contains_key(*name));
        if let Some(unknown) = arguments.keys().find(|name| !is_known(name)) {
            let known: Vec<&str> =
                known.into_iter().flat_map(|known| known.keys()).map(String::as_str).collect();
            let known = known.join(", ");
            return Err(Error::Other(format!("there is no argument `{unknown}`; there are {known}")));
        }
        (self.answer)(Value::Object(arguments), job)
    }
}

fn question<A, R>(
    name: &'static str,
    title: &'static str,
    description: &'static str,
    answer: fn(&A, &Job) -> Result<R, Error>,
) -> Question
where
    A: DeserializeOwned + JsonSchema + 'static,
    R: Serialize + JsonSchema + 'static,
{
    let (asked, answered) =
        (SchemaSettings::draft2020_12().for_deserialize(), SchemaSettings::draft2020_12());
    let tool = Tool::new(name, description, schema::<A>(asked))
        .with_title(title)
        .with_raw_output_schema(schema::<R>(answered.for_serialize()))
        .with_annotations(ToolAnnotations::new().read_only(true).open_world(false));
    let answer = move |arguments: Value, job: &Job| {
        let asked = serde_json::from_value(arguments)
            .map_err(|error| Error::Other(format!("the arguments cannot be used: {error}")))?;
        let answered = answer(&asked, job)?;
        serde_json::to_value(answered).map_err(|error| Error::Internal(error.to_string()))
    };
    Question { tool, answer: Box::new(answer) }
}

fn schema<T: JsonSchema>(settings: SchemaSettings) -> Arc<JsonObject> {
    let schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}
