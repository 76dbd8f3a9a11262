//! From what a user names to the assembly that is meant: a project, a solution or a folder stands for what was built of it.

mod build;
mod built;
mod msbuild;
mod solution;

use std::path::{Path, PathBuf};

use engine::Error;

pub use msbuild::Project;
pub use solution::find;

use crate::console::Console;

/// An assembly, and the project that it was built from if that is known.
#[derive(Clone, Debug)]
pub struct Subject {
    pub assembly: PathBuf,
    pub project: Option<PathBuf>,
    /// It took a build to have it.
    pub was_built: bool,
}

/// The assembly that is meant. Files that are no projects are taken as they are: whoever reads them says what is wrong.
pub fn resolve(path: &Path, may_build: bool, console: &Console) -> Result<Subject, Error> {
    let candidates = if path.is_dir() {
        find(path)?
    } else if solution::is_solution(path) && path.is_file() {
        solution::projects_of(path)?
    } else if solution::is_project(path) && path.is_file() {
        vec![path.to_owned()]
    } else {
        return Ok(Subject { assembly: path.to_owned(), project: None, was_built: false });
    };
    let project = only(path, candidates)?;
    of_project(&project, may_build, console)
}

/// The one project that can be meant: tests are not explored unless they are named.
fn only(path: &Path, candidates: Vec<PathBuf>) -> Result<Project, Error> {
    let named = candidates.len() == 1 && !path.is_dir();
    let projects = candidates.iter().map(|path| Project::read(path)).collect::<Result<Vec<_>, _>>()?;
    let (tests, mut code): (Vec<Project>, Vec<Project>) =
        projects.into_iter().partition(|project| project.is_test() && !named);
    match (code.pop(), code.is_empty(), tests.is_empty()) {
        (Some(project), true, _) => Ok(project),
        (Some(last), false, _) => {
            code.push(last);
            let names: Vec<String> = code.iter().map(|project| project.path.display().to_string()).collect();
            let count = names.len();
            let names = names.join(", ");
            Err(Error::Other(format!("{} has {count} projects; name one of them: {names}", path.display())))
        }
        (None, _, false) => Err(Error::Other(format!("{} has projects of tests only", path.display()))),
        (None, _, true) if path.is_dir() => Err(Error::IsFolder(path.to_owned())),
        (None, _, true) => Err(Error::Other(format!("{} has no projects that are there", path.display()))),
    }
}

fn of_project(project: &Project, may_build: bool, console: &Console) -> Result<Subject, Error> {
    let found = built::find(project);
    let newer = found.as_ref().and_then(|built| built::newer_source(project, built));
    let subject = |assembly: PathBuf, was_built| {
        console.remark(&format!("the assembly is {}", assembly.display()));
        Ok(Subject { assembly, project: Some(project.path.clone()), was_built })
    };
    let (name, dotnet) = (project.path.display(), || build::sdk().filter(|_| may_build));
    match (found, newer) {
        (Some(built), None) => subject(built, false),
        (Some(built), Some(source)) => match dotnet() {
            Some(dotnet) => {
                console.remark(&format!("{name} is built, since {} has changed", source.display()));
                build::build(&dotnet, &project.path)?;
                subject(built::find(project).unwrap_or(built), true)
            }
            None => {
                let (built_at, source) = (built.display(), source.display());
                let why = if may_build { "and no .NET SDK was found to build it" } else { "(--no-build)" };
                console.warn(&format!("{built_at} is older than {source} {why}: it is explored as it is"));
                subject(built, false)
            }
        },
        (None, _) => {
            let Some(dotnet) = dotnet() else {
                let why = if may_build { "no .NET SDK was found" } else { "--no-build says not to" };
                return Err(Error::Other(format!(
                    "{name} is not built, and {why}; build it with `dotnet build`, or give the path of the .dll"
                )));
            };
            console.remark(&format!("{name} is built for the first time"));
            build::build(&dotnet, &project.path)?;
            match built::find(project) {
                Some(built) => subject(built, true),
                None => Err(Error::Other(format!(
                    "{name} was built, but {}.dll is not in bin; give its path",
                    project.assembly_name()
                ))),
            }
        }
    }
}
