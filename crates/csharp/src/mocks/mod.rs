//! Mocks as C#: small classes beside the tests, lambdas for delegates, or the objects of a mocking library.

mod accessors;
mod class;
mod implement;
mod lambda;
mod library;
mod plan;
mod stub;

pub use class::class_text;
pub use library::MockLibrary;
pub use plan::{Key, Stubs, plain_name};

/// Gives the results of a mocked method one after the other.
pub const NEXT: &str = "\
/// <summary>The result of the next call; the default value after the last one.</summary>
private static T Next<T>($LIST<T> results)
{
    if (results.Count == 0)
    {
        return default;
    }
    T result = results[0];
    results.RemoveAt(0);
    return result;
}";
