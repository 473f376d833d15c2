//! A replay of the fuzz targets' corpora, so that a fixed bug stays fixed.

use memprof_parsers::CHECKS;
use std::fs;
use std::path::PathBuf;

#[test]
fn every_input_of_the_corpora_passes() {
    let corpora = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz/corpus");
    for (name, check) in CHECKS {
        let corpus = corpora.join(name);
        let inputs: Vec<_> = fs::read_dir(&corpus)
            .unwrap_or_else(|error| panic!("{}: {error}", corpus.display()))
            .map(|entry| entry.expect("the folder can be read").path())
            .collect();
        assert!(inputs.len() >= 5, "the corpus of {name} has {} inputs", inputs.len());
        for input in inputs {
            println!("{}", input.display());
            check(&fs::read(&input).expect("the input can be read"));
        }
    }
}

#[test]
fn every_truncated_input_of_the_corpora_passes() {
    let corpora = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz/corpus");
    for (name, check) in CHECKS {
        for entry in fs::read_dir(corpora.join(name)).expect("the corpus is there") {
            let input = fs::read(entry.expect("the folder can be read").path());
            let input = input.expect("the input can be read");
            for parts in 1..8 {
                check(&input[..input.len() * parts / 8]);
            }
        }
    }
}
