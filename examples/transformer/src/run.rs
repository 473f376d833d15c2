//! Makes the transformer, lets it generate, and sets what it took beside the formulas.

use crate::arguments::Arguments;
use crate::expected;
use crate::generate::generate;
use crate::model::{Activations, KvCache, Maker, Transformer};
use crate::report::{Report, expected_bytes};
use crate::room;
use memprof::Session;
use memprof::heap::{Level, framework};
use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Prints the report; false if something isn't as expected.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
    let device = arguments.place.open()?;
    if device.is_cpu() {
        room::check(expected_bytes(arguments))?;
    }
    let session = session(arguments.output_dir.as_deref())?;
    let mut maker = Maker::new(arguments.dtype, &device, arguments.seed);
    let transformer = {
        let _operation = memprof::operation!("make weights");
        Arc::new(Transformer::new(&mut maker, arguments.shape)?)
    };
    let cache = {
        let _operation = memprof::operation!("make KV cache");
        Arc::new(Mutex::new(KvCache::new(&mut maker, &arguments.shape)?))
    };
    let activations = Activations::default();
    session.root("weights", transformer.clone());
    session.root("kv cache", cache.clone());
    session.root("activations", activations.live());
    session.checkpoint("made");

    let prompt = maker.tokens(arguments.prompt, arguments.shape.vocabulary);
    {
        // A pass for what is allocated on first use only, and for a look at the largest moment.
        let _operation = memprof::operation!("warm-up");
        let peak = expected::peak(&arguments.shape, arguments.prompt_pass());
        let handle = session.handle();
        activations.when_live(peak.bytes, move || handle.checkpoint("largest moment"));
        transformer.forward(&prompt, &cache, &activations, 1)?;
        cache.lock().unwrap_or_else(PoisonError::into_inner).tokens = 0;
    }
    let generated = generate(&transformer, &prompt, arguments.generate, &cache, &activations)?;
    session.checkpoint("generated");

    let cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    let report = Report::new(arguments, &maker, &transformer, &cache, &generated)?;
    println!("{report}");
    if arguments.operations {
        println!("\n{}", framework::summary().by_name());
    }
    drop(cache);
    let recorded = session.finish()?;
    if let Some(path) = recorded.path() {
        println!("recorded in {}", path.display());
    }
    Ok(report.is_as_expected())
}

/// On if there is a folder for it, or if the environment says so.
fn session(output_dir: Option<&Path>) -> Result<Session, Box<dyn Error>> {
    // No samples: those are explained by where values' blocks are, and candle doesn't tell where a
    // storage is.
    let builder = Session::builder().level(Level::Counters);
    let builder = match output_dir {
        Some(folder) => builder.enabled(true).output_dir(folder),
        None => builder,
    };
    Ok(builder.start()?)
}
