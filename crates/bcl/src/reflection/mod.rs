//! Reflection: types, members, assemblies, attributes, calls.

pub(crate) mod activation;
pub(crate) mod assemblies;
pub(crate) mod attributes;
pub(crate) mod call_code;
pub(crate) mod contexts;
pub(crate) mod element_types;
pub(crate) mod fields;
pub(crate) mod invocation;
pub(crate) mod loading;
pub(crate) mod metadata;
pub(crate) mod method_tables;
pub(crate) mod methods;
pub(crate) mod references;
pub(crate) mod signatures;
pub(crate) mod stack_frames;
pub(crate) mod type_names;
pub(crate) mod type_parsing;
pub(crate) mod types;
