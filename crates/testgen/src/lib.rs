//! Test cases as data (`cilantro/case@1`) and as C# for xUnit, NUnit and MSTest.

pub mod case;
