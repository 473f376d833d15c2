//! What is asked for is understood, or refused with what to do; what is printed fits a terminal.

use super::generated;
use crate::arguments::{Arguments, Asked, HELP};
use crate::device::Place;
use crate::report::foretold;
use crate::shape::{ONE_BILLION, TINY};
use candle_core::DType;

fn parsed(words: &str) -> Result<Arguments, String> {
    let words: Vec<&str> = words.split_whitespace().collect();
    match Arguments::parse(words.into_iter().map(Into::into))? {
        Asked::Run(arguments) => Ok(arguments),
        Asked::Help => Err(HELP.to_owned()),
    }
}

#[test]
fn options_change_what_they_name_and_defaults_follow_the_shape() {
    let tiny = parsed("").expect("nothing has to be said");
    assert_eq!((tiny.shape, tiny.dtype, tiny.place), (TINY, DType::F32, Place::Cpu));
    let large = parsed("--shape 1b --device cuda:3 --seed 9").expect("it is right");
    assert_eq!((large.shape, large.dtype, large.place), (ONE_BILLION, DType::F16, Place::Cuda(3)));
    assert_eq!((large.seed, large.generate), (9, 4));
    // In whatever order.
    let short = parsed("--context 64 --shape 1b --dtype f32 --prompt 61").expect("it is right");
    assert_eq!((short.shape.context, short.dtype, short.tokens()), (64, DType::F32, 64));
}

#[test]
fn what_cannot_be_is_refused_and_says_what_can() {
    let cases = [
        ("--shape huge", "expected --shape tiny or 1b; found \"huge\""),
        ("--dtype f64", "expected --dtype f32, f16 or bf16; found \"f64\""),
        ("--device gpu", "expected --device cpu or cuda:N; found \"gpu\""),
        ("--device cuda:x", "expected --device cpu or cuda:N; found \"cuda:x\""),
        ("--prompt 0", "expected a number from 1 to 1048576 after --prompt; found \"0\""),
        ("--context", "expected a value after --context"),
        (
            "--generate 82",
            "a prompt of 48 and 82 more tokens are too long for a context of 128; \
                           make one of them smaller or --context larger",
        ),
        (
            "--dtype bf16",
            "candle multiplies no bf16 on the CPU; choose --dtype f16 or f32, or \
                          --dry-run",
        ),
    ];
    for (words, message) in cases {
        assert_eq!(parsed(words), Err(message.to_owned()));
    }
    assert!(parsed("--size 3").unwrap_err().starts_with("there is no option --size\n\nusage: "));
    assert!(parsed("--dtype bf16 --dry-run").is_ok());
}

#[test]
fn a_device_that_is_not_there_is_one_line_with_a_reason() {
    if candle_core::utils::cuda_is_available() {
        println!("skipped: this candle is built with CUDA");
        return;
    }
    let error = Place::Cuda(0).open().map(drop).unwrap_err();
    assert!(error.starts_with("cuda:0: this candle is built without CUDA; add"), "{error}");
    assert_eq!(error.lines().count(), 1);
}

#[test]
fn a_dry_run_prints_the_formulas() {
    let arguments = parsed("--shape 1b").expect("it is right");
    let expected = "\
1b · 1 235 814 400 weights of f16 · 16 layers · 32 heads on 8 · cpu

                   expected
model               2.3 GiB
├─ MLP              1.5 GiB  16 layers × 3 × 2048 × 8192 × 2 B
├─ embeddings     501.0 MiB  128256 × 2048 × 2 B
├─ attention      320.0 MiB  16 layers × 2 × 2048 × (2048 + 512) × 2 B
├─ rotary tables  256.0 KiB  2 × 2048 places × 64 / 2 × 2 B
├─ norms          132.0 KiB  (2 × 16 layers + 1) × 2048 × 2 B
└─ head                 0 B  tied: the embeddings
KV cache           64.0 MiB  16 layers × 2 × 8 heads × 2048 places × 64 × 2 B
└─ used             1.6 MiB  51 of 2048 places
activations         2.4 MiB
├─ prompt           2.4 MiB  48 tokens, most at: MLP's product
└─ last token     254.5 KiB  1 token, most at: logits
together            2.4 GiB";
    assert_eq!(foretold(&arguments), expected);
}

#[test]
fn reports_fit_into_eighty_columns() {
    let arguments = parsed("").expect("nothing has to be said");
    let report = generated(&arguments).report(&arguments).to_string();
    // The tokens are as long as they are.
    let lines = report.lines().filter(|line| !line.starts_with("tokens "));
    let help = HELP.lines();
    for line in lines.chain(foretold(&arguments).lines()).chain(help) {
        assert!(line.chars().count() <= 80, "{line}");
    }
}
