//! File names of the program's own sources, without the folders of the machine that compiled it.

use memprof_profile::text::CodeOrigin;
use memprof_recording::Recording;
use memprof_recording::document::{OperationPath, Place, Summary};

/// The folder that contains all sources of the program. It is absolute, as in the debug
/// information, and ends with a separator. It is empty if there is no such folder.
#[derive(Debug)]
pub(super) struct Sources {
    folder: String,
}

impl Sources {
    pub(super) fn of(recording: &Recording) -> Self {
        let summary = &recording.summary;
        let sites = || summary.sites.iter().chain(&summary.unexplained_sites);
        let leaks = || summary.leaks.iter().chain(&summary.doubtful_leaks);
        // The call sites come first, because they are most likely in the program's own files.
        // `common_folder` ignores later files in unrelated folders.
        let places = sites().map(|site| &site.place).chain(leaks().map(|leak| &leak.place));
        let frames = sites()
            .flat_map(|site| &site.stack)
            .chain(leaks().flat_map(|leak| &leak.stack))
            .chain(summary.largest_blocks.iter().map(|block| &block.place));
        let files = places.chain(frames).filter_map(|place| place.file.as_deref());
        let named = recording.operation_paths.iter().map(|path| &*path.file);
        Self { folder: common_folder(named.chain(files).filter(|file| is_own(file))) }
    }

    pub(super) fn summary(&self, recording: &Recording) -> Summary {
        let mut summary = recording.summary.clone();
        for_each_file(&mut summary, &mut |file| *file = self.short(file).to_owned());
        summary
    }

    pub(super) fn paths(&self, recording: &Recording) -> Vec<OperationPath> {
        let mut paths = recording.operation_paths.clone();
        for path in &mut paths {
            path.file = self.short(&path.file).to_owned();
        }
        paths
    }

    pub(super) fn place(&self, place: &Place) -> Place {
        let mut place = place.clone();
        place.file = place.file.map(|file| self.short(&file).to_owned());
        place
    }

    pub(super) fn text(&self, text: &str) -> String {
        if self.folder.is_empty() { text.to_owned() } else { text.replace(&self.folder, "") }
    }

    fn short<'f>(&self, file: &'f str) -> &'f str {
        file.strip_prefix(&self.folder).unwrap_or(file)
    }
}

fn for_each_file(summary: &mut Summary, call: &mut impl FnMut(&mut String)) {
    let mut place = |place: &mut Place| {
        if let Some(file) = &mut place.file {
            call(file);
        }
    };
    for site in summary.sites.iter_mut().chain(&mut summary.unexplained_sites) {
        place(&mut site.place);
        site.stack.iter_mut().for_each(&mut place);
    }
    for leak in summary.leaks.iter_mut().chain(&mut summary.doubtful_leaks) {
        place(&mut leak.place);
        leak.stack.iter_mut().for_each(&mut place);
    }
    summary.largest_blocks.iter_mut().for_each(|block| place(&mut block.place));
    summary.operations.iter_mut().for_each(|operation| call(&mut operation.file));
}

/// True for absolute paths outside of the standard library and of crates that cargo fetched.
fn is_own(file: &str) -> bool {
    let is_absolute = file.starts_with('/') || file.get(1..3).is_some_and(|next| next == ":\\");
    is_absolute && CodeOrigin::of(None, Some(file), None) == CodeOrigin::Workspace
}

/// Returns the parent of the common folder, so that `src/main.rs` keeps its `src`. A file that
/// shares at most one folder with the previous files is not the program's and is ignored.
fn common_folder<'f>(mut files: impl Iterator<Item = &'f str>) -> String {
    let Some(first) = files.next() else { return String::new() };
    let mut common = folder(first);
    for file in files {
        let mut prefix = common;
        while !file.starts_with(prefix) {
            prefix = folder(&prefix[..prefix.len() - 1]);
        }
        if prefix.matches(['/', '\\']).count() > 2 {
            common = prefix;
        }
    }
    match common.len() {
        0 => String::new(),
        length => folder(&common[..length - 1]).to_owned(),
    }
}

/// Returns a path up to and including its last separator, or an empty text.
fn folder(path: &str) -> &str {
    path.rfind(['/', '\\']).map_or("", |at| &path[..=at])
}

#[cfg(test)]
mod tests {
    use super::{common_folder, is_own};

    #[test]
    fn the_common_folder_of_all_files_is_removed_except_its_last_part() {
        let cases: [(&[&str], &str); 8] = [
            (&["/srv/app/src/main.rs"], "/srv/app/"),
            (&["/srv/app/src/main.rs", "/srv/app/src/net/tcp.rs"], "/srv/app/"),
            (&["/srv/app/src/main.rs", "/srv/app/core/src/lib.rs"], "/srv/"),
            (&["/srv/app/src/main.rs", "/opt/lib.rs", "/srv/a.rs"], "/srv/app/"),
            (&["C:\\app\\src\\main.rs", "C:\\app\\src\\a.rs"], "C:\\app\\"),
            (&["/main.rs"], ""),
            (&["/"], ""),
            (&[], ""),
        ];
        for (files, expected) in cases {
            assert_eq!(common_folder(files.iter().copied()), expected, "{files:?}");
        }
    }

    #[test]
    fn files_of_libraries_and_relative_files_are_not_own() {
        assert!(is_own("/srv/app/src/main.rs") && is_own("C:\\app\\main.rs"));
        let others = [
            "src/main.rs",
            "",
            "名前",
            "/rustc/5980/library/std/src/rt.rs",
            "/root/.cargo/registry/src/x/a/b.rs",
        ];
        assert!(!others.iter().any(|file| is_own(file)));
    }
}
