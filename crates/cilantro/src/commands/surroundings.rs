//! What a program that is run sees of cultures and time zones: by default the same for everyone, so that runs can be
//! repeated; otherwise what the options say.

use std::path::Path;

use bcl::Cultures;
use engine::{Chosen, Culture, Error, World};
use vm::host::{LocalZone, Zones};

use crate::args::Run;

/// The word that stands for the user's own.
const USER: &str = "user";
const INVARIANT_MODE: &str = "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT";

/// Cultures, and what is to be said about them.
pub fn cultures(
    args: &Run,
    path: &Path,
    chosen: &Chosen,
    variables: &[(String, String)],
) -> Result<(Cultures, Option<&'static str>), Error> {
    let culture = match args.culture.as_deref() {
        None => Culture::Invariant,
        Some(USER) => Culture::OfUser,
        Some(name) => Culture::Named(name.to_owned()),
    };
    let invariant =
        variables.iter().find(|(name, _)| name == INVARIANT_MODE).map(|(_, value)| value.as_str());
    let world = World::of(chosen, path, &culture, invariant);
    if world.is_invariant() && (args.culture.is_some() || args.ui_culture.is_some()) {
        let why = world.remark.unwrap_or("the program asks for invariant mode, which has one culture only");
        return Err(Error::Other(format!("the culture cannot be chosen: {why}")));
    }
    let name = match &culture {
        Culture::Invariant => String::new(),
        Culture::Named(name) => name.clone(),
        Culture::OfUser => of_user(&world)?,
    };
    let ui_name = match args.ui_culture.as_deref() {
        None => name.clone(),
        Some(USER) => of_user(&world)?,
        Some(ui_name) => ui_name.to_owned(),
    };
    Ok((world.cultures().starting_in(&name, &ui_name), world.remark))
}

/// The culture that the system tells the runtime.
fn of_user(world: &World) -> Result<String, Error> {
    const ROOM: i32 = 100;
    let Some(answers) = &world.answers else { return Ok(String::new()) };
    match answers.default_locale_name(ROOM) {
        Ok(written) => Ok(String::from_utf16_lossy(&written.units)),
        Err(error) => Err(Error::Other(error.to_string())),
    }
}

/// The local time zone: by its own option, by the variable that the program is given with `--env`, or UTC. The variable
/// is set accordingly.
pub fn time_zone(args: &Run, variables: &mut Vec<(String, String)>) -> Result<LocalZone, Error> {
    let zone = match args.time_zone.as_deref() {
        Some(USER) => zone_of_user(variables),
        Some(zone) => Some(zone.to_owned()),
        None if args.variables.iter().any(|(name, _)| name == "TZ") => return Ok(LocalZone::OfVariable),
        None => None,
    };
    let Some(zone) = zone else { return Ok(LocalZone::Utc) };
    if Zones::of_system().is_none_or(|zones| !zones.has(&zone)) {
        return Err(Error::Other(format!("the time zone {zone} is not known on this machine")));
    }
    variables.retain(|(name, _)| name != "TZ");
    variables.push(("TZ".to_owned(), zone));
    Ok(LocalZone::OfVariable)
}

/// The variable, else where the system's link leads to, else what the system's file says.
fn zone_of_user(variables: &[(String, String)]) -> Option<String> {
    let variable = variables.iter().find(|(name, _)| name == "TZ");
    if let Some((_, zone)) = variable.filter(|(_, zone)| !zone.is_empty()) {
        return Some(zone.trim_start_matches(':').to_owned());
    }
    let link = std::fs::read_link("/etc/localtime").ok();
    let behind = link.as_ref().and_then(|path| path.to_str()?.split_once("/zoneinfo/"));
    if let Some((_, zone)) = behind {
        return Some(zone.to_owned());
    }
    let named = std::fs::read_to_string("/etc/timezone").ok()?;
    Some(named.trim().to_owned()).filter(|zone| !zone.is_empty())
}
