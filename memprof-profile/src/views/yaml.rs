//! Profiles as YAML: the schema of the JSON in block style, for people and YAML tools.
//!
//! The writer is hand-written, because the schema is flat and fixed. A general serializer took over
//! ten times as long.

use crate::Profile;
use crate::text::is_hostile;
use crate::tree::{Counts, Device, Leaf, Origin, Role, TensorRecord, Tensors};
use crate::views::notes::Known;
use crate::views::{FlatBranch, flat, text};
use crate::walk::{Holders, Shared};
use std::io::{self, BufWriter, Write};

/// # YAML
impl Profile {
    /// Returns the profile as YAML 1.2 with the keys of the JSON. Parsers of YAML 1.1 read it too.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let yaml = Profile::named("names", &vec![0_u64; 4]).to_yaml();
    /// assert!(yaml.starts_with("format: \"memprof profile\"\nversion: 1\ntotal_bytes: 56\n"));
    /// ```
    pub fn to_yaml(&self) -> String {
        text(|yaml| write(self, yaml))
    }

    /// Writes the YAML of [`to_yaml`](Self::to_yaml) without holding all of it in memory.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write_yaml(&self, out: impl Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        write(self, &mut out)?;
        out.flush()
    }
}

fn write(profile: &Profile, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"format: \"memprof profile\"\nversion: 1\n")?;
    writeln!(out, "total_bytes: {}", profile.total_bytes())?;
    if let Some(bytes) = profile.shallow_bytes {
        writeln!(out, "shallow_bytes: {bytes}")?;
    }
    if Known::of(profile.root()).is_lower_bound {
        out.write_all(b"lower_bound: true\n")?;
    }
    writeln!(out, "exact: {}", profile.is_exact())?;
    match profile.origin() {
        Origin::Values => write_shared(profile.shared, out)?,
        // Data that this origin does not have is left out.
        origin => writeln!(out, "origin: \"{origin}\"")?,
    }
    if profile.tensors.count() > 0 {
        write_tensors(&profile.tensors, out)?;
    }
    if let Some(holders) = profile.holders() {
        out.write_all(if holders.is_empty() { b"holders: []\n" } else { b"holders:\n" })?;
        holders.iter().try_for_each(|held| write_holders(held, out))?;
    }
    out.write_all(b"branches:\n")?;
    flat(profile.root()).try_for_each(|branch| write_branch(&branch, out))
}

fn write_shared(shared: Shared, out: &mut impl Write) -> io::Result<()> {
    let Shared { allocations, handles, bytes, bytes_if_unshared, .. } = shared;
    let Shared { externally_held_bytes, leaked_bytes, is_upper_bound, .. } = shared;
    writeln!(out, "shared:\n  allocations: {allocations}\n  handles: {handles}\n  bytes: {bytes}")?;
    writeln!(out, "  bytes_if_unshared: {bytes_if_unshared}")?;
    writeln!(out, "  externally_held_bytes: {externally_held_bytes}")?;
    if leaked_bytes > 0 {
        writeln!(out, "  leaked_bytes: {leaked_bytes}")?;
    }
    if is_upper_bound {
        writeln!(out, "  is_upper_bound: true")?;
    }
    Ok(())
}

fn write_tensors(tensors: &Tensors, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "tensors:\n  count: {}\n  largest:", tensors.count())?;
    for tensor in tensors.largest() {
        let TensorRecord { path, dtype, shape, device, bytes, requires_grad, .. } = tensor;
        out.write_all(b"  - path: ")?;
        write_quoted(path, out)?;
        out.write_all(b"\n    dtype: ")?;
        write_quoted(dtype, out)?;
        writeln!(out, "\n    shape: {shape:?}\n    device: \"{device}\"\n    bytes: {bytes}")?;
        match requires_grad {
            Some(requires) => writeln!(out, "    requires_grad: {requires}")?,
            None => out.write_all(b"    requires_grad: null\n")?,
        }
    }
    Ok(())
}

fn write_holders(held: &Holders, out: &mut impl Write) -> io::Result<()> {
    let Holders { allocations, bytes, freed_bytes, other_paths, unmet_handles, .. } = held;
    let or_null = |amount: &Option<u64>| amount.map_or("null".into(), |amount| amount.to_string());
    out.write_all(b"  - path: ")?;
    write_quoted(&held.path, out)?;
    write!(out, "\n    allocations: {allocations}\n    bytes: {bytes}\n    dominator: ")?;
    match &held.dominator {
        Some(path) => write_quoted(path, out)?,
        None => out.write_all(b"null")?,
    }
    let none = if held.handles.is_empty() { " {}" } else { "" };
    writeln!(out, "\n    freed_bytes: {}\n    handles:{none}", or_null(freed_bytes))?;
    for (path, handles) in &held.handles {
        out.write_all(b"      ")?;
        write_quoted(path, out)?;
        writeln!(out, ": {handles}")?;
    }
    if *other_paths > 0 {
        writeln!(out, "    other_paths: {other_paths}")?;
    }
    writeln!(out, "    unmet_handles: {}", or_null(unmet_handles))
}

fn write_branch(
    &FlatBranch { branch, parent, .. }: &FlatBranch<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    match parent {
        Some(parent) => write!(out, "- parent: {}\n  name: ", parent.index())?,
        None => out.write_all(b"- parent: null\n  name: ")?,
    }
    write_quoted(branch.name(), out)?;
    writeln!(out, "\n  bytes: {}", branch.total_bytes())?;
    write_counts(branch.counts(), out)?;
    if !branch.leaves().is_empty() {
        out.write_all(b"  leaves:\n")?;
        branch.leaves().iter().try_for_each(|leaf| write_leaf(leaf, out))?;
    }
    let mut opaque = branch.opaque().peekable();
    if opaque.peek().is_some() {
        out.write_all(b"  opaque:\n")?;
    }
    opaque
        .try_for_each(|(reason, count)| writeln!(out, "  - why: \"{reason}\"\n    count: {count}"))
}

fn write_counts(counts: Counts, out: &mut impl Write) -> io::Result<()> {
    if counts == Counts::default() {
        return Ok(());
    }
    out.write_all(b"  counts:\n")?;
    let mut counted = Counts::NAMES.iter().copied().zip(counts.to_array());
    counted.try_for_each(|(name, count)| match count {
        0 => Ok(()),
        count => writeln!(out, "    {name}: {count}"),
    })
}

fn write_leaf(leaf: &Leaf, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "  - kind: \"{}\"", leaf.kind().as_str())?;
    if leaf.role() != Role::default() {
        writeln!(out, "    role: \"{}\"", leaf.role())?;
    }
    if leaf.device() != Device::default() {
        writeln!(out, "    device: \"{}\"", leaf.device())?;
    }
    writeln!(out, "    bytes: {}", leaf.bytes())?;
    match leaf.estimated_bytes() {
        0 => Ok(()),
        estimated => writeln!(out, "    estimated_bytes: {estimated}"),
    }
}

/// Writes a name in double quotes. Escapes characters that YAML parsers read as a line break or
/// reject, and characters that are unsafe on a terminal.
fn write_quoted(name: &str, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"\"")?;
    if name.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')) {
        out.write_all(name.as_bytes())?;
    } else {
        for char in name.chars() {
            match char {
                '"' | '\\' => write!(out, "\\{char}")?,
                _ if !is_hostile(char) => write!(out, "{char}")?,
                '\0'..='\u{ffff}' => write!(out, "\\u{:04x}", u32::from(char))?,
                _ => write!(out, "\\U{:08x}", u32::from(char))?,
            }
        }
    }
    out.write_all(b"\"")
}
