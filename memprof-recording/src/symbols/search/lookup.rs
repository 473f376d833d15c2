//! The names of the addresses of one module.

use super::SymbolSearch;
use super::files::Files;
use super::missing::{MissingNames, Reason};
use super::units::limited_frames;
use crate::document::{Module, Place};
use crate::symbols::apply::Named;
use crate::symbols::complete::{Frame, complete};
use addr2line::{FrameIter, Loader, gimli};
use object::read::{Object, ObjectSymbol, ReadCache};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::File;
use std::path::Path;

/// Looks up addresses of one module. An address without a name is not in the result.
pub(super) fn look_up(
    module: &Module,
    addresses: &BTreeSet<u64>,
    search: &SymbolSearch,
) -> (Named, Option<MissingNames>) {
    let missing = |count: usize, reason| {
        (count > 0).then(|| MissingNames::new(module, count, reason, search))
    };
    let files = match Files::of(module, search) {
        Ok(files) => files,
        Err(reason) => return (Named::new(), missing(addresses.len(), reason)),
    };
    let in_file = InFile::of(module, addresses);
    let wanted: BTreeSet<u64> = in_file.0.values().copied().collect();
    let symbols = symbols(&files, &wanted);
    let found = files.debug.as_deref().map(|path| match search.deadline {
        Some(deadline) => limited_frames(path, &wanted, deadline),
        None => all_frames(path, &wanted),
    });
    let (mut found, reason) = match found {
        None => (None, Reason::Stripped),
        Some(Err(_)) => (None, Reason::Damaged),
        Some(Ok(found)) => (Some(found), Reason::Stripped),
    };
    let mut named = Named::new();
    for (&address, at) in &in_file.0 {
        let mut frames = found.as_mut().and_then(|found| found.remove(at)).unwrap_or_default();
        complete(&mut frames, symbols.get(at).cloned());
        if !frames.is_empty() {
            let place =
                |(function, file, line)| Place { function, file, line, address: Some(address) };
            named.insert(address, frames.into_iter().map(place).collect());
        }
    }
    // If there is debug information, nothing is reported as missing: some functions lack files even
    // then, for example those of the C library.
    let missing = if found.is_some() { None } else { missing(addresses.len(), reason) };
    (named, missing)
}

/// Maps the return address of each call, as recorded in the process, to the address of the call in
/// the file.
struct InFile(BTreeMap<u64, u64>);

impl InFile {
    fn of(module: &Module, addresses: &BTreeSet<u64>) -> Self {
        let at = |address: u64| address.wrapping_sub(module.load_bias).wrapping_sub(1);
        Self(addresses.iter().map(|&address| (address, at(address))).collect())
    }
}

/// Returns the frames of addresses of a file, by address.
pub(super) fn all_frames(
    path: &Path,
    addresses: &BTreeSet<u64>,
) -> Result<BTreeMap<u64, Vec<Frame>>, Box<dyn Error>> {
    let loader = Loader::new(path)?;
    let found = |&at: &u64| Some((at, frames(loader.find_frames(at).ok()?)));
    Ok(addresses.iter().filter_map(found).collect())
}

/// Returns the frames at an address from the debug information. The result is empty if the debug
/// information describes no frame there, or is damaged there.
pub(super) fn frames<R: gimli::Reader>(mut found: FrameIter<'_, R>) -> Vec<Frame> {
    /// The maximum number of inlined functions at an address; a damaged chain is cut off.
    const MAX: usize = 256;
    let mut frames: Vec<Frame> = Vec::new();
    while let Ok(Some(frame)) = found.next() {
        let function = frame
            .function
            .as_ref()
            .and_then(|function| function.demangle().ok().map(std::borrow::Cow::into_owned));
        let (file, line) = match frame.location {
            Some(location) => (location.file.map(str::to_owned), location.line),
            None => (None, None),
        };
        frames.push((function, file, line));
        if frames.len() == MAX {
            break;
        }
    }
    frames
}

/// Returns the functions that contain addresses, by the tables of symbols.
fn symbols(files: &Files, wanted: &BTreeSet<u64>) -> BTreeMap<u64, String> {
    let mut wanted = wanted.clone();
    let mut named = BTreeMap::new();
    for path in &files.all {
        let found = symbols_of(path, &wanted).unwrap_or_default();
        wanted.retain(|address| !found.contains_key(address));
        named.extend(found);
    }
    named
}

fn symbols_of(path: &Path, wanted: &BTreeSet<u64>) -> Option<BTreeMap<u64, String>> {
    let cache = ReadCache::new(File::open(path).ok()?);
    let object = object::File::parse(&cache).ok()?;
    let mut named = BTreeMap::new();
    for symbol in object.symbols().chain(object.dynamic_symbols()) {
        // Skip a symbol without a size, because it may end before the address.
        if !symbol.is_definition() || symbol.size() == 0 {
            continue;
        }
        let end = symbol.address().saturating_add(symbol.size());
        for &address in wanted.range(symbol.address()..end) {
            if let Ok(name) = symbol.name()
                && !named.contains_key(&address)
            {
                let name = addr2line::demangle_auto(name.into(), None).into_owned();
                named.insert(address, name);
            }
        }
    }
    Some(named)
}
