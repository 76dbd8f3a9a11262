//! The protocol: what the server says of itself, whose turn it is, progress and cancellation.

use std::sync::Arc;
use std::time::{Duration, Instant};

use budget::Signals;
use engine::{Error, Keeping, panics};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::job::{self, Job};
use super::roots::Roots;
use super::tools::{Question, questions};
use crate::args::{Common, Mcp};
use crate::files::path_of_uri;

const INSTRUCTIONS: &str = "\
Cilantro explores compiled .NET code symbolically. Ask it what is true of a method: inputs that crash it, tests for every branch, \
whether a line can be reached, proofs. Answers are exact: tests and crashes were replayed on the real runtime, proofs hold for all \
inputs, and what is not known is said with its reason. Build the project first: compiled assemblies are looked at.";

/// A client that does not name its roots in this time names none that can be used.
const ROOTS_WITHIN: Duration = Duration::from_secs(10);
/// Between two notes about one question.
const BETWEEN_NOTES: Duration = Duration::from_millis(500);

pub struct Server {
    common: Common,
    questions: Arc<Vec<Question>>,
    /// Those that the user named; then nobody else is asked.
    roots: Option<Roots>,
    keeping: Option<Keeping>,
    /// Memory is counted for the whole process, so one question is answered at a time.
    turn: Mutex<()>,
}

/// Ends the work when nobody waits for it any more.
struct EndsWork(Arc<Signals>);

impl Drop for EndsWork {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Server {
    pub fn new(args: &Mcp, common: &Common) -> Result<Server, Error> {
        if let Some(missing) = args.roots.iter().find(|root| !root.is_dir()) {
            return Err(Error::Other(format!("the root {} is no folder", missing.display())));
        }
        Ok(Server {
            common: common.clone(),
            questions: Arc::new(questions()),
            roots: (!args.roots.is_empty()).then(|| Roots::new(args.roots.clone())),
            keeping: job::keeping(args.cache.as_deref()),
            turn: Mutex::new(()),
        })
    }

    /// The folders that this client may ask about.
    async fn roots(&self, context: &RequestContext<RoleServer>) -> Result<Roots, String> {
        if let Some(roots) = &self.roots {
            return Ok(roots.clone());
        }
        let named = if names_roots(context) { named_roots(context).await? } else { Vec::new() };
        if !named.is_empty() {
            return Ok(Roots::new(named.iter().filter_map(|uri| path_of_uri(uri))));
        }
        let here =
            std::env::current_dir().map_err(|error| format!("there is no current directory: {error}"))?;
        Ok(Roots::new([here]))
    }

    /// Works on another thread, and tells how far it is.
    async fn answer(
        &self,
        number: usize,
        arguments: Option<JsonObject>,
        context: &RequestContext<RoleServer>,
    ) -> Result<Value, String> {
        let roots = self.roots(context).await?;
        let (heard, mut notes) = unbounded_channel();
        let signals = Arc::new(Signals::default());
        let _ends_work = EndsWork(Arc::clone(&signals));
        let (common, keeping) = (self.common.clone(), self.keeping.clone());
        let job = Job { common, roots, keeping, signals: Arc::clone(&signals), heard };
        let _turn = tokio::select! {
            turn = self.turn.lock() => turn,
            () = context.ct.cancelled() => return Err("cancelled".to_owned()),
        };
        let questions = Arc::clone(&self.questions);
        let mut work = spawn_blocking(move || {
            let Some(question) = questions.get(number) else {
                return Err("there is no such tool".to_owned());
            };
            let answered = panics::caught(|| question.answer(arguments, &job));
            answered
                .unwrap_or_else(|message| Err(Error::Internal(message)))
                .map_err(|error| error.to_string())
        });
        let mut progress = Progress::new(context);
        loop {
            tokio::select! {
                done = &mut work => return done.unwrap_or_else(|error| Err(error.to_string())),
                Some(note) = notes.recv() => progress.tell(note).await,
                // The work ends soon: whoever is next waits for its memory.
                () = context.ct.cancelled(), if !signals.is_cancelled() => signals.cancel(),
            }
        }
    }
}

/// Since 2026-07-28 servers ask clients for nothing: such clients name roots with `--root`, or start the server in one.
fn names_roots(context: &RequestContext<RoleServer>) -> bool {
    let can_be_asked = context
        .protocol_version()
        .is_none_or(|version| version.as_str() < ProtocolVersion::V_2026_07_28.as_str());
    can_be_asked && context.client_capabilities().is_some_and(|can| can.roots.is_some())
}

#[expect(deprecated, reason = "clients of older versions of the protocol name their roots in this way only")]
async fn named_roots(context: &RequestContext<RoleServer>) -> Result<Vec<String>, String> {
    match timeout(ROOTS_WITHIN, context.peer.list_roots()).await {
        Ok(Ok(listed)) => Ok(listed.roots.into_iter().map(|root| root.uri).collect()),
        Ok(Err(error)) => Err(format!("the client does not name its roots: {error}")),
        Err(_) => Err("the client does not name its roots in time".to_owned()),
    }
}

/// Notes to whoever asked for them; seconds that have passed, so that they only grow.
struct Progress<'a> {
    context: &'a RequestContext<RoleServer>,
    started: Instant,
    last: Option<Instant>,
}

impl<'a> Progress<'a> {
    fn new(context: &'a RequestContext<RoleServer>) -> Progress<'a> {
        Progress { context, started: Instant::now(), last: None }
    }

    async fn tell(&mut self, note: String) {
        let Some(token) = self.context.meta.get_progress_token() else { return };
        let now = Instant::now();
        if self.last.is_some_and(|last| now < last + BETWEEN_NOTES) {
            return;
        }
        self.last = Some(now);
        let passed = now.duration_since(self.started).as_secs_f64();
        let note = ProgressNotificationParam::new(token, passed).with_message(note);
        let _client_is_gone = self.context.peer.notify_progress(note).await;
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let name = Implementation::new("cilantro", env!("CARGO_PKG_VERSION")).with_title("Cilantro");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(name)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools: Vec<Tool> = self.questions.iter().map(|question| question.tool.clone()).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let is_meant = |question: &Question| question.tool.name == request.name;
        let Some(number) = self.questions.iter().position(is_meant) else {
            return Err(ErrorData::invalid_params(format!("there is no tool `{}`", request.name), None));
        };
        let answered = self.answer(number, request.arguments, &context).await;
        let result = match answered {
            Ok(value) => CallToolResult::structured(value),
            Err(why) => CallToolResult::error(vec![ContentBlock::text(why)]),
        };
        Ok(result.into())
    }
}
