//! The program that runs one case without a profiler.

#[cfg(unix)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    use memprof_guest::{Part, Profiler, Recorder};
    use std::error::Error;
    use std::path::Path;

    struct Nothing;

    impl Profiler for Nothing {
        fn start(&self, _: &Path, _: Vec<Part>) -> Result<Box<dyn Recorder>, Box<dyn Error>> {
            Ok(Box::new(Self))
        }

        fn operation(&self, work: &mut dyn FnMut()) {
            work();
        }
    }

    impl Recorder for Nothing {
        fn checkpoint(&self) {}

        fn finish(self: Box<Self>) {}
    }

    memprof_guest::run(&Nothing)
}

#[cfg(not(unix))]
fn main() {
    println!("skipped: the cases need Unix");
}
