//! A recorded indexer of source code: `cargo run --release --example source_index`.
//!
//! It reads all sources below the given folders, on several threads, and keeps an index of their
//! words. A session records its memory: the index is a registered root, and each step is an
//! operation. One part never frees its memory, and the recording shows where that part allocates.

mod arguments;
mod index;
mod indexer;
mod long_lines;
mod queries;
mod sources;

use arguments::Arguments;
use index::Index;
use std::error::Error;
use std::process::ExitCode;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args_os().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("source_index: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    // The session is on, unless the environment contains `MEMPROF=0`.
    let session = memprof::Session::builder()
        .enabled(true)
        .output_dir(&arguments.output_dir)
        .interval(Duration::from_millis(200))
        .start()?;
    let index = Arc::new(RwLock::new(Index::default()));
    session.root("index", index.clone());

    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(arguments.threads)
        .enable_all()
        .build()?;
    let began = Instant::now();
    for round in 1..=arguments.rounds {
        let files = sources::below(&arguments.folders)?;
        if files.is_empty() {
            return Err("there are no sources (.rs) below the folders given".into());
        }
        runtime.block_on(indexer::index_all(files, &index, arguments.threads));
        session.checkpoint(&format!("indexed {round}"));
    }
    let found = queries::run(&index);
    {
        let index = index.read().map_err(|_| "a thread panicked while it held the index")?;
        println!("{} files, {} words, {found} found", index.files(), index.words());
        println!("{:.2} s", began.elapsed().as_secs_f64());
    }
    if arguments.wait {
        // With `--wait` the program runs until Ctrl-C.
        println!("waiting");
        runtime.block_on(queries::run_for_ever(&index));
    }
    println!("{}", session.finish()?);
    Ok(())
}
