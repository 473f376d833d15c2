//! `cargo xtask page`: checks the scripts of the page, and bundles them into one file.

use crate::tools::{output, succeeds};
use crate::{Failure, target, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the scripts, of their tests and of the list of tools.
const SCRIPTS: &str = "memprof-export/src/page/script";

/// The bundle, which pages contain.
const BUNDLE: &str = "memprof-export/src/page/script.js";

/// The files that choose the tools and their versions.
const LISTS: [&str; 2] = ["package.json", "package-lock.json"];

/// The rules of the linter.
const RULES: &str = "eslint.config.js";

/// The first line of the bundle.
const BANNER: &str = "// `cargo xtask page` bundles this file from the TypeScript files of the \
                      folder `script`. Edit those.";

/// The oldest browsers that draw the page; `page.html` names them too.
const BROWSERS: &str = "chrome111,firefox113,safari16.4";

/// Choices of the command line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices {
    /// `true` to change no file, and to fail if the bundle or the format differs.
    pub(crate) check: bool,
    /// `true` if missing tools are not a failure.
    pub(crate) skip_if_missing: bool,
}

/// Formats, lints, type-checks, tests and bundles the scripts.
pub(crate) fn run(choices: Choices) -> Result<(), Failure> {
    let tools = match Tools::new() {
        Err(error) if choices.skip_if_missing => {
            println!("skipped: {error}");
            return Ok(());
        }
        tools => tools?,
    };
    tools.lint(choices.check)?;
    tools.types()?;
    let tests = tools.test()?;
    let bundle = tools.bundle()?;
    let path = workspace().join(BUNDLE);
    let stored = fs::read_to_string(&path)?;
    if stored != bundle {
        if choices.check {
            return Err(format!("{BUNDLE} is not up to date; run `cargo xtask page`").into());
        }
        fs::write(path, &bundle)?;
    }
    println!("{tests} tests passed; the bundle has {} bytes", bundle.len());
    Ok(())
}

/// The tools, installed in the target folder.
struct Tools {
    folder: PathBuf,
    scripts: PathBuf,
}

impl Tools {
    /// Installs the tools if their list has changed.
    fn new() -> Result<Self, Failure> {
        for program in ["node", "npm"] {
            if !succeeds(Command::new(program).arg("--version")) {
                return Err(format!("{program} is missing; the page's scripts need Node 20").into());
            }
        }
        let scripts = workspace().join(SCRIPTS).canonicalize()?;
        let folder = target("page");
        fs::create_dir_all(&folder)?;
        let folder = folder.canonicalize()?;
        // The last list whose tools were installed completely.
        let installed = folder.join("installed.json");
        let wanted = fs::read(scripts.join(LISTS[1]))?;
        if fs::read(&installed).ok().as_ref() != Some(&wanted) {
            for list in LISTS {
                fs::copy(scripts.join(list), folder.join(list))?;
            }
            let mut install = Command::new("npm");
            install.args(["ci", "--ignore-scripts", "--loglevel=error", "--no-audit", "--no-fund"]);
            output(install.current_dir(&folder))
                .map_err(|error| format!("npm could not install the tools: {error}"))?;
            fs::write(installed, wanted)?;
        }
        Ok(Self { folder, scripts })
    }

    /// Returns a command that runs the program of a package in the folder of the scripts.
    fn tool(&self, program: &str) -> Command {
        let mut node = Command::new("node");
        node.arg(self.folder.join("node_modules").join(program)).current_dir(&self.scripts);
        node
    }

    /// Formats and lints the scripts.
    fn lint(&self, check: bool) -> Result<(), Failure> {
        let mut format = self.tool("prettier/bin/prettier.cjs");
        output(format.args([if check { "--check" } else { "--write" }, "."]))?;
        // The linter's rules import packages, which are in the folder of the tools.
        let rules = self.folder.join(RULES);
        fs::copy(self.scripts.join(RULES), &rules)?;
        let mut lint = self.tool("eslint/bin/eslint.js");
        output(lint.args(["--max-warnings", "0", "--config"]).arg(rules).arg(".")).map(drop)
    }

    /// Checks the types of the scripts and of their tests.
    fn types(&self) -> Result<(), Failure> {
        let types = self.folder.join("node_modules/@types");
        for project in [".", "tests"] {
            let mut check = self.tool("typescript/bin/tsc");
            output(check.args(["--project", project]).arg("--typeRoots").arg(&types))?;
        }
        Ok(())
    }

    /// Runs the tests. Returns their number.
    fn test(&self) -> Result<usize, Failure> {
        let folder = self.folder.join("tests");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let tests = names(&self.scripts.join("tests"), ".test.ts")?;
        let mut build = self.tool("esbuild/bin/esbuild");
        build.args(["--bundle", "--platform=node", "--format=esm", "--out-extension:.js=.mjs"]);
        build.args(["--log-level=warning", "--sourcemap=inline"]);
        build.arg(format!("--outdir={}", folder.display()));
        output(build.args(tests.iter().map(|name| format!("tests/{name}"))))?;
        let mut run = Command::new("node");
        run.args(["--enable-source-maps", "--test", "--test-reporter=tap"])
            .current_dir(workspace());
        let text = output(run.args(names(&folder, ".mjs")?.iter().map(|name| folder.join(name))))?;
        let passed = text.lines().find_map(|line| line.strip_prefix("# pass "));
        let passed = passed.and_then(|count| count.parse().ok()).unwrap_or(0);
        if passed == 0 { Err("node ran no test of the scripts".into()) } else { Ok(passed) }
    }

    /// Returns the scripts as one file, without comments and types.
    fn bundle(&self) -> Result<String, Failure> {
        let mut build = self.tool("esbuild/bin/esbuild");
        build.args(["start.ts", "--bundle", "--format=iife", "--charset=utf8"]);
        build.arg("--log-level=warning");
        build.args([format!("--target={BROWSERS}"), format!("--banner:js={BANNER}")]);
        output(&mut build)
    }
}

/// Returns the names of the files in a folder whose names end with `end`, sorted.
fn names(folder: &Path, end: &str) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(end) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
