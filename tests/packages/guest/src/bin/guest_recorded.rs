//! The program that runs one case and is recorded by memprof.

#[cfg(unix)]
#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

#[cfg(unix)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    memprof_guest::run(&recorder::Memprof)
}

#[cfg(not(unix))]
fn main() {
    println!("skipped: the cases need Unix");
}

#[cfg(unix)]
mod recorder {
    use memprof::source::Source;
    use memprof::{Profile, Session};
    use memprof_guest::{Part, Profiler, Recorder};
    use std::error::Error;
    use std::path::Path;
    use std::time::Duration;

    pub(super) struct Memprof;

    struct Recording(Session);

    impl Profiler for Memprof {
        fn start(
            &self,
            folder: &Path,
            parts: Vec<Part>,
        ) -> Result<Box<dyn Recorder>, Box<dyn Error>> {
            let builder = Session::builder().output_dir(folder).interval(Duration::from_millis(20));
            // The cases about settings leave the decision to the environment.
            let decided = std::env::var_os("GUEST_LEAVES_IT_TO_THE_ENVIRONMENT").is_some();
            let session = if decided { builder } else { builder.enabled(true) }.start()?;
            for part in parts {
                add(&session, part);
            }
            Ok(Box::new(Recording(session)))
        }

        fn operation(&self, work: &mut dyn FnMut()) {
            let _operation = memprof::operation!("work");
            work();
        }
    }

    fn add(session: &Session, part: Part) {
        match part {
            Part::Ledger(ledger) => session.root("ledger", ledger),
            Part::Frail(frail) => session.root("frail", frail),
            Part::Stuck(stuck) => session.root("stuck", stuck),
            Part::Exits => session.root_with("exits", |_| std::process::exit(9)),
            Part::StuckSource => session.source(StuckSource),
            Part::FrailSource => session.source(FrailSource),
        }
    }

    impl Recorder for Recording {
        fn checkpoint(&self) {
            self.0.checkpoint("asked");
        }

        fn finish(self: Box<Self>) {
            // If a document cannot be written, the program must still end as it would without
            // memprof. The caller gets the error; memprof itself prints only one warning, before it
            // returns the error.
            if let Err(error) = self.0.finish() {
                println!("profiler: {error}");
            }
        }
    }

    struct StuckSource;

    impl Source for StuckSource {
        fn name(&self) -> &'static str {
            "stuck source"
        }

        fn read(&mut self) -> Result<Profile, Box<dyn Error + Send + Sync>> {
            println!("profiler: stuck");
            std::thread::sleep(Duration::from_mins(2));
            Err("it took too long".into())
        }
    }

    struct FrailSource;

    impl Source for FrailSource {
        fn name(&self) -> &'static str {
            "frail source"
        }

        fn read(&mut self) -> Result<Profile, Box<dyn Error + Send + Sync>> {
            panic!("the source is wrong");
        }
    }
}
