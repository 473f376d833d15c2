//! The options of the command line.

/// The text of `--help`.
pub(crate) const USAGE: &str = "\
Compares memprof with its peers. Prints criterion's lines and, last, one table of ratios.

usage: cargo bench [-- [OPTION…] [PART…]]

parts: walk, heap, session, wrapper (default: all)

options:
  --long          Measures for about an hour: values of at least 1 GiB, more rounds, slow peers.
  --only TEXT     Measures only the values of the walk whose names contain this text.
  --no-criterion  Leaves out criterion's lines, except the wrapper's.
  --details       Also prints the bytes of all sides of the walk, and missed bars.
  --check         Exits with 1 if the walk missed a bar.";

/// A part of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Walk,
    Heap,
    Session,
    Wrapper,
}

impl Part {
    pub(crate) const ALL: [Self; 4] = [Self::Walk, Self::Heap, Self::Session, Self::Wrapper];

    fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Heap => "heap",
            Self::Session => "session",
            Self::Wrapper => "wrapper",
        }
    }
}

/// The duration of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// Seconds on small values, for tests. The figures mean nothing.
    Test,
    /// At most five minutes on two cores.
    Usual,
    /// About an hour.
    Long,
}

/// The parsed options.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Options {
    pub(crate) parts: Vec<Part>,
    pub(crate) only: Option<String>,
    pub(crate) length: Length,
    pub(crate) criterion: bool,
    pub(crate) details: bool,
    pub(crate) check: bool,
    pub(crate) help: bool,
}

impl Options {
    /// Parses arguments, without the program's name.
    pub(crate) fn parse(mut remaining: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            parts: Vec::new(),
            only: None,
            length: Length::Test,
            criterion: true,
            details: false,
            check: false,
            help: false,
        };
        let mut is_long = false;
        while let Some(argument) = remaining.next() {
            match argument.as_str() {
                // `cargo bench` passes this argument.
                "--bench" => options.length = Length::Usual,
                "--long" => is_long = true,
                "--only" => {
                    let text = remaining.next();
                    options.only = Some(text.ok_or("`--only` needs a text; see `--help`")?);
                }
                "--no-criterion" => options.criterion = false,
                "--details" => options.details = true,
                "--check" => options.check = true,
                "--help" | "-h" => options.help = true,
                word => {
                    let part = Part::ALL.into_iter().find(|part| part.name() == word);
                    let unknown = || format!("`{word}` is neither an option nor a part\n\n{USAGE}");
                    options.parts.push(part.ok_or_else(unknown)?);
                }
            }
        }
        if is_long {
            options.length = Length::Long;
        }
        if options.parts.is_empty() {
            let all = if options.only.is_some() { &Part::ALL[..1] } else { &Part::ALL };
            options.parts = all.to_vec();
        }
        Ok(options)
    }
}
