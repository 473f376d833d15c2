//! `cargo xtask sanitize [PART…]`: the tests of memprof-heap under valgrind and the sanitizers of nightly.

use crate::Failure;
use crate::runs::{Need, Run, run_chosen};

/// Without fair scheduling, a thread that waits for another may wait for minutes. A test calls the C
/// compiler, which reads memory that it has not initialised.
const VALGRIND: &str = "valgrind --quiet --error-exitcode=99 --trace-children=yes \
    --trace-children-skip=*/cc --trace-children-skip-by-arg=*exit::*,*out_of_memory::* \
    --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --fair-sched=yes";

/// Tests that no checker runs: 100,000 threads, and 400,000 calls of operations on eight threads,
/// which take minutes one after the other.
const SLOW: &str = "--skip short_threads:: --skip load::";

/// Tests that valgrind does not run.
///
/// - `fork::`: A child lacks its parent's other threads, so their memory counts as leaked.
/// - `a_child_forked_while_names`: A child reads its debug information for longer than the test
///   waits.
const NOT_VALGRIND: &str = "--skip fork:: --skip a_child_forked_while_names";

/// Tests that the sanitizers do not run.
///
/// - `fork::`, `a_child_forked_while_names`: A child hung, as if in a lock of the address
///   sanitizer's own.
/// - `out_of_memory::`: A sanitizer aborts if it gets no memory itself.
const NOT_SANITIZERS: &str =
    "--skip fork:: --skip a_child_forked_while_names --skip out_of_memory::";

struct Sanitizer {
    name: &'static str,
    flags: &'static str,
    /// The variable with its options, which suppress false positives.
    options: (&'static str, &'static str),
    left_out: &'static str,
}

/// Tests run in the folder of the package.
const SANITIZERS: [Sanitizer; 3] = [
    Sanitizer {
        name: "address",
        flags: "-Zsanitizer=address",
        options: ("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1"),
        left_out: "",
    },
    Sanitizer {
        name: "leak",
        flags: "-Zsanitizer=leak",
        options: ("LSAN_OPTIONS", "exitcode=23"),
        // In a PID namespace of its own, the sanitizer may fail to stop a thread. It then reports
        // what the thread's stack keeps.
        left_out: "--skip pid_namespaces::",
    },
    Sanitizer {
        name: "thread",
        // std is compiled without the sanitizer. The file suppresses the false positives that
        // result.
        flags: "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer",
        options: ("TSAN_OPTIONS", "suppressions=../xtask/thread-sanitizer.txt"),
        // - `thread_exit::`: The test allocates in the last round of a thread's destructors. By
        //   then, the sanitizer has freed its own state of the thread, and crashes.
        // - `pid_namespaces::`: A child is created without the sanitizer's fork handlers, so it may
        //   wait for a lock that the sanitizer held in the parent.
        left_out: "--skip thread_exit:: --skip pid_namespaces::",
    },
];

pub(crate) fn run(parts: &[String]) -> Result<(), Failure> {
    const TESTS: &str = "test --quiet --package memprof-heap --tests";
    // Without optimisation, the tests of samples alone take minutes under valgrind. Optimised code is
    // also closer to the code that users run.
    let new = |name: &str| {
        Run::new(name)
            .folder(format!("sanitize/{name}"))
            .variable("CARGO_PROFILE_TEST_OPT_LEVEL", "1")
            // With line tables alone, names of optimised functions lack their modules, which tests
            // and suppressions compare.
            .variable("CARGO_PROFILE_TEST_DEBUG", "limited")
    };
    let valgrind = new("valgrind")
        .need(Need::Program("valgrind"))
        .variable("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", VALGRIND)
        .variable("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", VALGRIND)
        .cargo(format!("{TESTS} -- {SLOW} {NOT_VALGRIND}"));
    let sanitizers = SANITIZERS.map(|Sanitizer { name, flags, options, left_out }| {
        new(name)
            .toolchain("nightly")
            .need(Need::LinuxX86)
            .variable("RUSTFLAGS", flags)
            .variable(options.0, options.1)
            // With a target, cargo compiles build scripts without the sanitizer.
            .cargo(format!(
                "{TESTS} --target x86_64-unknown-linux-gnu -- \
                 {SLOW} {NOT_SANITIZERS} {left_out}"
            ))
    });
    run_chosen(parts, [valgrind].into_iter().chain(sanitizers))
}
