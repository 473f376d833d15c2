//! pprof files, read by `go tool pprof` and by `pprof-format`, the library with which Datadog's
//! profiler for Node writes such files.

use super::node::node;
use super::programs::{export, go, output};
use super::recordings::{Recorded, record, recordings};
use crate::built::built;
use crate::{Failure, workspace};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A kind of export, with its values and their sums according to the recording.
struct Form {
    name: &'static str,
    sums: Vec<(&'static str, u64)>,
}

pub(super) fn check(folder: &Path) -> Result<String, Failure> {
    let mut results = Vec::new();
    for recorded in recordings(folder)? {
        for form in forms(&recorded)? {
            let file = folder.join(format!("{}.{}.pb.gz", recorded.name, form.name));
            export(&recorded.path, form.name, &file)?;
            for (counted, sum) in &form.sums {
                agree(&recorded, &form, &file, counted, *sum)?;
            }
            let sums: Vec<String> =
                form.sums.iter().map(|(of, sum)| format!("{of} {sum}")).collect();
            let (name, form, sums) = (recorded.name, form.name, sums.join(", "));
            results
                .push(format!("{name} {form}: {sums}, the same to go tool pprof and pprof-format"));
        }
        results.push(fleet(&recorded, folder)?);
        if recorded.name == "source_index" {
            results.push(only_places(&recorded, folder)?);
        }
    }
    if cfg!(target_os = "linux") {
        results.push(stripped(folder)?);
    }
    let names = output(pprof()?.arg("-top").arg(folder.join("hostile.pprof.pb.gz")))?;
    for name in ["Vec<Tensor>", "\\u{1b}]0;title", "<script>alert(1)</script>", "名前 é"] {
        if !names.contains(name) {
            return Err(format!("no {name} in {names}").into());
        }
    }
    Ok(results.join("\n"))
}

fn forms(recorded: &Recorded) -> Result<[Form; 3], Failure> {
    let (live, allocated) = recorded.operation_bytes();
    Ok([
        Form { name: "pprof", sums: vec![("inuse_space", recorded.snapshot_bytes()?)] },
        Form { name: "pprof-sites", sums: vec![("inuse_space", recorded.site_bytes())] },
        Form {
            name: "pprof-operations",
            sums: vec![("inuse_space", live), ("alloc_space", allocated)],
        },
    ])
}

/// Fails if an output of one of the two readers has another sum than the session.
fn agree(
    recorded: &Recorded,
    form: &Form,
    file: &Path,
    counted: &str,
    sum: u64,
) -> Result<(), Failure> {
    let raw = output(pprof()?.arg("-raw").arg(file))?;
    let index = format!("-sample_index={counted}");
    let top = output(pprof()?.args(["-top", "-unit=b", &index]).arg(file))?;
    let mut totals = vec![
        ("-raw", raw_sum(&raw, counted)?),
        ("-top", between(&top, "% of ", "B total")?),
        ("pprof-format", node_sum(&[file], counted)?),
    ];
    if form.name == "pprof" {
        let tags = output(pprof()?.args(["-tags", "-unit=b", &index]).arg(file))?;
        totals.push(("-tags device", between(&tags, "device: Total ", ".0B")?));
        totals.push(("-tags kind", between(&tags, "kind: Total ", ".0B")?));
    }
    match totals.iter().find(|(_, total)| *total != sum) {
        Some((tool, total)) => {
            let Recorded { name, .. } = recorded;
            let form = form.name;
            Err(format!("{name} {form}: {tool} adds {counted} up to {total}, and not {sum}").into())
        }
        None => Ok(()),
    }
}

/// Fails if readers do not merge the profiles of two processes of the same program, or if the
/// merged profile has duplicate frames.
fn fleet(recorded: &Recorded, folder: &Path) -> Result<String, Failure> {
    let text = fs::read_to_string(&recorded.path)?;
    let pid = format!("\"pid\":{}", recorded.recording.metadata.pid);
    let other = folder.join("other.json");
    fs::write(&other, text.replace(&pid, "\"pid\":99"))?;
    let merged = folder.join("merged.pb.gz");
    let merge = |files: [&PathBuf; 2]| {
        output(pprof()?.args(["-proto", "-output"]).arg(&merged).args(files))?;
        output(pprof()?.arg("-raw").arg(&merged)).map(|raw| locations(&raw))
    };
    let mut frames = Vec::new();
    for form in forms(recorded)? {
        let files = [&recorded.path, &other].map(|path| path.with_extension(form.name));
        for (from, to) in [&recorded.path, &other].into_iter().zip(&files) {
            export(from, form.name, to)?;
        }
        if fs::read(&files[0])? == fs::read(&files[1])? {
            return Err("two processes wrote the same comments".into());
        }
        // Merging removes the frames that tables leave out, even if both files are the same.
        let (one, both) = (merge([&files[0]; 2])?, merge([&files[0], &files[1]])?);
        if one != both || one == 0 {
            return Err(format!("{both} frames of two processes, {one} of one").into());
        }
        frames.push(one.to_string());
        for (counted, sum) in &form.sums {
            for total in [node_sum(&[&merged], counted)?, node_sum(&files, counted)?] {
                if total != 2 * sum {
                    let form = form.name;
                    return Err(format!("{form} of two: {counted} {total}, not twice {sum}").into());
                }
            }
        }
    }
    let (name, frames) = (recorded.name, frames.join(", "));
    Ok(format!("{name} as two processes, merged: twice the bytes, the same {frames} frames"))
}

/// Fails unless tables list the places of the session, and not the library functions that only pass
/// a request on to the allocator.
fn only_places(recorded: &Recorded, folder: &Path) -> Result<String, Failure> {
    let top = output(pprof()?.arg("-top").arg(folder.join("source_index.pprof-sites.pb.gz")))?;
    // Notes come first. Each row has flat bytes, percent, sum, cumulative bytes and percent, and
    // the name.
    let rows = top.lines().skip_while(|line| !line.contains("flat%")).skip(1);
    let flat = rows.take_while(|row| !row.trim_start().starts_with("0 "));
    let name = |row: &str| row.split_whitespace().skip(5).collect::<Vec<_>>().join(" ");
    let names: Vec<String> = flat.map(name).collect();
    let sites = &recorded.recording.summary.sites;
    let is_place =
        |name: &String| sites.iter().any(|site| site.place.function.as_ref() == Some(name));
    match names.iter().find(|name| !is_place(name)) {
        Some(other) => Err(format!("{other} is not a place of the session: {top}").into()),
        None if names.is_empty() => Err(format!("no function: {top}").into()),
        None => Ok(format!("source_index allocates in {}", names.join(", "))),
    }
}

/// Fails unless `go tool pprof` finds the functions of a stripped program in the file that is not
/// stripped.
fn stripped(folder: &Path) -> Result<String, Failure> {
    // `go tool pprof` reads names from DWARF, which has them without their modules.
    const FUNCTION: &str = " complain ";
    const LINE: &str = "long_lines.rs:";
    let example = ["--package", "memprof", "--example", "source_index"];
    let program = built(&example, "debug/examples/source_index")?;
    let stripped = folder.join("source_index");
    output(Command::new("strip").arg("-o").args([&stripped, &program]))?;
    let mut run = Command::new(&stripped);
    run.current_dir(workspace());
    let report = record(run, &folder.join("stripped"))?;
    let file = folder.join("stripped.pprof-sites.pb.gz");
    export(&report, "pprof-sites", &file)?;
    let top = |symbolize: &str| {
        let mut pprof = pprof_with(symbolize)?;
        output(pprof.args(["-top", "-lines", "-cum"]).args([&program, &file]))
    };
    let (without, with) = (top("none")?, top("local")?);
    if without.contains(LINE) {
        return Err(format!("memprof named the functions of a stripped program: {without}").into());
    }
    match with.lines().find(|row| row.contains(FUNCTION) && row.contains(LINE)) {
        Some(row) => {
            Ok(format!("source_index without symbols: go tool pprof finds {}", row.trim()))
        }
        None => Err(format!("go tool pprof does not find {FUNCTION}in {LINE} {with}").into()),
    }
}

fn pprof() -> Result<Command, Failure> {
    pprof_with("none")
}

/// Returns the command with this kind of search for names.
fn pprof_with(symbolize: &str) -> Result<Command, Failure> {
    let mut command = Command::new(go()?);
    command.args(["tool", "pprof", "-nodecount=100000", "-nodefraction=0"]);
    command.arg(format!("-symbolize={symbolize}"));
    Ok(command)
}

/// Returns the sum of a column of `-raw`.
fn raw_sum(raw: &str, counted: &str) -> Result<u64, Failure> {
    let mut lines = raw.lines().skip_while(|line| *line != "Samples:").skip(1);
    let heading = lines.next().ok_or("no samples")?;
    let column = heading.split_whitespace().position(|of| of.starts_with(counted));
    let column = column.ok_or_else(|| format!("no {counted} in {heading}"))?;
    let samples = lines.take_while(|line| *line != "Locations").filter(|line| {
        // Other lines are the labels of a sample.
        line.split_once(':').is_some_and(|(values, _)| {
            values.split_whitespace().all(|value| value.parse::<i64>().is_ok())
        })
    });
    let mut sum = 0;
    for sample in samples {
        let value = sample.split([' ', ':']).filter(|word| !word.is_empty()).nth(column);
        sum += value.ok_or("no value")?.parse::<u64>()?;
    }
    Ok(sum)
}

fn locations(raw: &str) -> usize {
    let lines = raw.lines().skip_while(|line| *line != "Locations").skip(1);
    lines.take_while(|line| *line != "Mappings").count()
}

fn node_sum(files: &[impl AsRef<OsStr>], counted: &str) -> Result<u64, Failure> {
    let arguments: Vec<&OsStr> =
        [OsStr::new(counted)].into_iter().chain(files.iter().map(AsRef::as_ref)).collect();
    Ok(node(&["pprof-format"], "pprof.mjs", &arguments)?.trim().parse()?)
}

/// Returns the number between two texts.
fn between(text: &str, before: &str, after: &str) -> Result<u64, Failure> {
    let number = text.split_once(before).and_then(|(_, rest)| Some(rest.split_once(after)?.0));
    let number = number.ok_or_else(|| format!("no \"{before}…{after}\" in {text}"))?;
    Ok(number.trim().parse().map_err(|_| format!("no number: {number}"))?)
}
