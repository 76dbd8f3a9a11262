//! What an exploration took.

use std::ops::AddAssign;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Counters of one exploration, or of several together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stats {
    /// Instructions, over all paths.
    pub steps: u64,
    pub states: u64,
    /// Paths that came to an end.
    #[serde(skip)]
    pub paths: u64,
    pub queries: u64,
    pub cache_hits: u64,
    pub core_calls: u64,
    #[serde(rename = "solver_ms", serialize_with = "to_ms", deserialize_with = "from_ms")]
    #[schemars(with = "u64")]
    pub solver_time: Duration,
    #[serde(rename = "elapsed_ms", serialize_with = "to_ms", deserialize_with = "from_ms")]
    #[schemars(with = "u64")]
    pub elapsed: Duration,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, more: Stats) {
        self.steps += more.steps;
        self.states += more.states;
        self.paths += more.paths;
        self.queries += more.queries;
        self.cache_hits += more.cache_hits;
        self.core_calls += more.core_calls;
        self.solver_time += more.solver_time;
        self.elapsed += more.elapsed;
    }
}

fn to_ms<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

fn from_ms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u64::deserialize(deserializer).map(Duration::from_millis)
}
