//! Which transformer is to run, and where.

use crate::device::Place;
use crate::expected::Pass;
use crate::shape::{ONE_BILLION, Shape, TINY};
use candle_core::DType;
use std::ffi::OsString;
use std::path::PathBuf;

/// Which transformer is to run, and where.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arguments {
    pub(crate) shape: Shape,
    pub(crate) dtype: DType,
    pub(crate) place: Place,
    /// Tokens that it is given, and tokens that it is to add.
    pub(crate) prompt: usize,
    pub(crate) generate: usize,
    pub(crate) seed: u64,
    /// Where a session writes what it recorded; none without.
    pub(crate) output_dir: Option<PathBuf>,
    pub(crate) operations: bool,
    pub(crate) dry_run: bool,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Asked {
    Run(Arguments),
    Help,
}

pub(crate) const HELP: &str = "\
usage: transformer [OPTION…]
Runs a transformer and prints its memory, expected and measured.

  --shape tiny|1b        how large it is (tiny)
  --dtype f32|f16|bf16   type of its numbers (f32; f16 for 1b)
  --context N            places in the KV cache (128; 2048 for 1b)
  --prompt N             tokens it is given (48)
  --generate N           tokens it adds (16; 4 for 1b)
  --seed N               what weights and prompt are made from (1)
  --device cpu|cuda:N    where it runs (cpu)
  --output-dir FOLDER    record a session there, for `memprof info`
  --operations           print the table of candle's operations
  --dry-run              print what is expected, and allocate nothing";

impl Arguments {
    pub(crate) fn parse(words: impl Iterator<Item = OsString>) -> Result<Asked, String> {
        let mut words = words;
        let (mut shape, mut dtype, mut context, mut generate) = (TINY, None, None, None);
        let mut arguments = Self {
            shape,
            dtype: DType::F32,
            place: Place::Cpu,
            prompt: 48,
            generate: 16,
            seed: 1,
            output_dir: None,
            operations: false,
            dry_run: false,
        };
        while let Some(option) = words.next() {
            let option = option.to_string_lossy().into_owned();
            let mut value =
                || words.next().ok_or_else(|| format!("expected a value after {option}"));
            let mut text = || Ok::<_, String>(value()?.to_string_lossy().into_owned());
            match option.as_str() {
                "--shape" => shape = named_shape(&text()?)?,
                "--dtype" => dtype = Some(named_type(&text()?)?),
                "--context" => context = Some(number(&option, &text()?)?),
                "--prompt" => arguments.prompt = number(&option, &text()?)?,
                "--generate" => generate = Some(number(&option, &text()?)?),
                "--seed" => arguments.seed = number(&option, &text()?)? as u64,
                "--device" => arguments.place = text()?.parse()?,
                "--output-dir" => arguments.output_dir = Some(value()?.into()),
                "--operations" => arguments.operations = true,
                "--dry-run" => arguments.dry_run = true,
                "--help" | "-h" => return Ok(Asked::Help),
                _ => return Err(format!("there is no option {option}\n\n{HELP}")),
            }
        }
        let large = shape == ONE_BILLION;
        arguments.dtype = dtype.unwrap_or(if large { DType::F16 } else { DType::F32 });
        arguments.generate = generate.unwrap_or(if large { 4 } else { 16 });
        arguments.shape = Shape { context: context.unwrap_or(shape.context), ..shape };
        arguments.checked().map(Asked::Run)
    }

    fn checked(self) -> Result<Self, String> {
        // The last one is chosen and never read.
        let tokens = self.prompt.saturating_add(self.generate - 1);
        if tokens > self.shape.context {
            return Err(format!(
                "a prompt of {} and {} more tokens are too long for a context of {}; make one of \
                 them smaller or --context larger",
                self.prompt, self.generate, self.shape.context
            ));
        }
        if self.dtype == DType::BF16 && self.place == Place::Cpu && !self.dry_run {
            return Err("candle multiplies no bf16 on the CPU; choose --dtype f16 or f32, or \
                        --dry-run"
                .to_owned());
        }
        Ok(self)
    }

    /// Bytes of a number.
    pub(crate) fn number(&self) -> usize {
        self.dtype.size_in_bytes()
    }

    /// The pass that reads the prompt.
    pub(crate) fn prompt_pass(&self) -> Pass {
        Pass { start: 0, tokens: self.prompt, logits: 1, number: self.number() }
    }

    /// The pass that reads the last token but one; none where the prompt's pass chooses all.
    pub(crate) fn last_pass(&self) -> Option<Pass> {
        let start = self.tokens() - 1;
        (self.generate > 1).then(|| Pass { start, tokens: 1, logits: 1, number: self.number() })
    }

    /// Tokens in the cache at the end.
    pub(crate) fn tokens(&self) -> usize {
        self.prompt + self.generate - 1
    }
}

fn named_shape(name: &str) -> Result<Shape, String> {
    Shape::named(name).ok_or_else(|| format!("expected --shape tiny or 1b; found {name:?}"))
}

fn named_type(name: &str) -> Result<DType, String> {
    match name {
        "f32" => Ok(DType::F32),
        "f16" => Ok(DType::F16),
        "bf16" => Ok(DType::BF16),
        _ => Err(format!("expected --dtype f32, f16 or bf16; found {name:?}")),
    }
}

/// More than any memory holds would only overflow the formulas.
const MOST: usize = 1 << 20;

fn number(option: &str, text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MOST).contains(number));
    number
        .ok_or_else(|| format!("expected a number from 1 to {MOST} after {option}; found {text:?}"))
}
