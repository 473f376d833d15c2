//! The examples below the help of each command.

pub(super) const MEMPROF: &str = "\
Examples:
  memprof run cargo run --release
  memprof info
  memprof tree model.json

Exit codes:
  0  success
  1  a check failed (`diff --fail-if-grows`), or `symbolize` found no name
  2  a file or an argument is wrong
`memprof run` has the exit code of the program that it runs.";

pub(super) const RUN: &str = "\
Examples:
  memprof run --open ./target/release/app
  memprof run --interval 500ms -- cargo run --release

Exit codes:
  the program's; 128 plus the signal's number if a signal ended it
  2    a folder or an argument is wrong
  126  the command cannot be run
  127  there is no such command

Variables for more settings of the session, with their defaults:
  MEMPROF_WALK_BUDGET=10ms          the longest walk of a root
  MEMPROF_OPERATION_EVENTS=10000    individual calls kept in the file
  MEMPROF_TIMELINE_BYTES=64MiB      size of the snapshots in the timeline
  MEMPROF_SIGNALS=1                 write the document before a signal ends the program
  MEMPROF_ON_EXIT=1                 finish a session when the program exits
  MEMPROF_WALL_TIME=1               time the calls of operations
  MEMPROF_CONFIG                    a file with settings";

pub(super) const TREE: &str = "\
Examples:
  memprof tree model.json
  memprof tree --depth 2 --root index run.json@peak";

pub(super) const TOP: &str = "\
Examples:
  memprof top model.json
  memprof top -n 5 --units bytes run.json@peak";

pub(super) const DIFF: &str = "\
Examples:
  memprof diff before.json after.json
  memprof diff --fail-if-grows 5% run.json@start run.json@end
  memprof diff --fail-if-grows 5% --fail-if-grows 'Model;names=64MiB' before.json after.json
  memprof diff --runs --markdown --fail-if-grows peak=5% runs-of-main/ runs-of-branch/";

pub(super) const FLAMEGRAPH: &str = "\
Examples:
  memprof flamegraph model.json -o model.svg
  memprof flamegraph --before run.json@start run.json@end -o changes.svg";

pub(super) const EXPORT: &str = "\
Examples:
  memprof export --to pprof run.json@peak -o peak.pb.gz
  memprof export --to prometheus run.jsonl -o memprof.prom";

pub(super) const INFO: &str = "\
Examples:
  memprof info
  memprof info --json run.jsonl";

pub(super) const REPORT: &str = "\
Examples:
  memprof report model.json
  memprof report --markdown --root index run.json";

pub(super) const OPS: &str = "\
Examples:
  memprof ops run.json
  memprof ops --sort peak -n 5 run.json";

pub(super) const HTML: &str = "\
Examples:
  memprof html
  memprof html --title nightly run.jsonl -o nightly.html";

pub(super) const GPU: &str = "\
Examples:
  memprof gpu --every 1s
  memprof gpu --every 100ms --json";

pub(super) const LEAKS: &str = "\
Examples:
  memprof leaks
  memprof leaks --json run.jsonl";

pub(super) const SYMBOLIZE: &str = "\
Examples:
  memprof symbolize run.json -o named.json
  memprof symbolize --debug-dir /srv/debug run.jsonl -o named.jsonl";

pub(super) const COMPLETIONS: &str = "\
Examples:
  memprof completions bash
  memprof completions zsh

To install the script:
  bash  memprof completions bash > ~/.local/share/bash-completion/completions/memprof
  zsh   memprof completions zsh > ~/.zfunc/_memprof, with ~/.zfunc in `fpath`
  fish  memprof completions fish > ~/.config/fish/completions/memprof.fish";

pub(super) const MAN: &str = "\
Examples:
  memprof man
  memprof man --output-dir /usr/local/share/man/man1

To read the page now: memprof man | man -l -";
