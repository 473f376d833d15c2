//! All settings: key, variable and accepted values.

use super::error::Origin;
use super::layer::Layer;
use core::fmt;
use core::ops::RangeInclusive;
use core::str::FromStr;
use humantime::format_duration;
use memprof_heap::Level;
use memprof_profile::testing::Budget;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

/// A setting.
#[derive(Debug)]
pub(super) struct Setting {
    /// The key in the file, which is also the name of the builder's method.
    pub(super) key: &'static str,
    pub(super) variable: &'static str,
    pub(super) takes: Takes,
}

/// The values that a setting accepts, and the field that stores them.
#[derive(Debug)]
pub(super) enum Takes {
    Switch(fn(&mut Layer) -> &mut Option<bool>),
    Folder,
    Time(fn(&mut Layer) -> &mut Option<Duration>, RangeInclusive<Duration>),
    Level,
    Count(fn(&mut Layer) -> &mut Option<u64>),
    Amount(fn(&mut Layer) -> &mut Option<u64>, RangeInclusive<u64>),
}

/// With a shorter interval a session would mostly measure itself; a longer one would show nothing.
const INTERVALS: RangeInclusive<Duration> = Duration::from_millis(10)..=Duration::from_hours(24);
/// A shorter budget walks no root; a longer one would hold the program's locks for too long.
const WALK_BUDGETS: RangeInclusive<Duration> = Duration::from_micros(100)..=Duration::from_secs(10);
/// A smaller timeline cannot hold a snapshot with its tensors.
const TIMELINES: RangeInclusive<u64> = 1 << 20..=u64::MAX;

pub(super) const SETTINGS: [Setting; 10] = [
    Setting {
        key: "enabled",
        variable: "MEMPROF",
        takes: Takes::Switch(|layer| &mut layer.enabled),
    },
    Setting { key: "output_dir", variable: "MEMPROF_OUTPUT_DIR", takes: Takes::Folder },
    Setting {
        key: "interval",
        variable: "MEMPROF_INTERVAL",
        takes: Takes::Time(|layer| &mut layer.interval, INTERVALS),
    },
    Setting { key: "level", variable: "MEMPROF_LEVEL", takes: Takes::Level },
    Setting {
        key: "walk_budget",
        variable: "MEMPROF_WALK_BUDGET",
        takes: Takes::Time(|layer| &mut layer.walk_budget, WALK_BUDGETS),
    },
    Setting {
        key: "operation_events",
        variable: "MEMPROF_OPERATION_EVENTS",
        takes: Takes::Count(|layer| &mut layer.operation_events),
    },
    Setting {
        key: "timeline_bytes",
        variable: "MEMPROF_TIMELINE_BYTES",
        takes: Takes::Amount(|layer| &mut layer.timeline_bytes, TIMELINES),
    },
    Setting {
        key: "signals",
        variable: "MEMPROF_SIGNALS",
        takes: Takes::Switch(|layer| &mut layer.signals),
    },
    Setting {
        key: "on_exit",
        variable: "MEMPROF_ON_EXIT",
        takes: Takes::Switch(|layer| &mut layer.on_exit),
    },
    Setting {
        key: "wall_time",
        variable: "MEMPROF_WALL_TIME",
        takes: Takes::Switch(|layer| &mut layer.wall_time),
    },
];

/// A value in the form that its layer has.
#[derive(Clone, Copy, Debug)]
pub(super) enum Raw<'a> {
    /// The text of a variable; values of each type are parsed from it.
    Variable(&'a OsStr),
    /// A string of the file.
    Text(&'a str),
    /// A whole number of the file that fits in a `u64`.
    Number(u64),
    /// A switch of the file.
    Switch(bool),
}

impl<'a> Raw<'a> {
    fn text(self) -> Option<&'a str> {
        match self {
            Self::Variable(text) => text.to_str(),
            Self::Text(text) => Some(text),
            Self::Number(_) | Self::Switch(_) => None,
        }
    }

    fn switch(self) -> Option<bool> {
        match self {
            Self::Switch(on) => Some(on),
            Self::Variable(text) => match text.to_str()? {
                "1" | "true" | "on" => Some(true),
                "0" | "false" | "off" => Some(false),
                _ => None,
            },
            Self::Text(_) | Self::Number(_) => None,
        }
    }

    fn folder(self) -> Option<PathBuf> {
        let path = match self {
            Self::Variable(text) => PathBuf::from(text),
            _ => PathBuf::from(self.text()?),
        };
        (!path.as_os_str().is_empty()).then_some(path)
    }

    fn time(self) -> Option<Duration> {
        humantime::parse_duration(self.text()?).ok()
    }

    fn keyword<T: FromStr>(self) -> Option<T> {
        self.text()?.parse().ok()
    }

    fn count(self) -> Option<u64> {
        match self {
            Self::Variable(text) => text.to_str()?.parse().ok(),
            Self::Number(number) => Some(number),
            Self::Text(_) | Self::Switch(_) => None,
        }
    }

    fn amount(self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(number),
            _ => self.text()?.parse::<Budget>().ok().map(Budget::bytes),
        }
    }
}

impl Takes {
    /// Stores `value` in `layer`, if the setting accepts it.
    pub(super) fn set(&self, value: Raw<'_>, origin: &Origin, layer: &mut Layer) -> Option<()> {
        match self {
            Self::Switch(slot) => *slot(layer) = Some(value.switch()?),
            Self::Folder => layer.output_dir = Some((value.folder()?, origin.clone())),
            Self::Time(slot, limits) => {
                *slot(layer) = Some(value.time().filter(|time| limits.contains(time))?);
            }
            Self::Level => layer.level = Some(value.keyword()?),
            Self::Count(slot) => *slot(layer) = Some(value.count()?),
            Self::Amount(slot, limits) => {
                *slot(layer) = Some(value.amount().filter(|bytes| limits.contains(bytes))?);
            }
        }
        Some(())
    }

    /// Returns the value in `layer` if it is out of range or is an empty path. In code, the types
    /// exclude all other invalid values.
    pub(super) fn beyond_limits(&self, layer: &mut Layer) -> Option<String> {
        match self {
            Self::Time(slot, limits) => {
                let time = slot(layer).filter(|time| !limits.contains(time))?;
                Some(format_duration(time).to_string())
            }
            Self::Amount(slot, limits) => {
                let bytes = slot(layer).filter(|bytes| !limits.contains(bytes))?;
                Some(format!("{bytes} bytes"))
            }
            Self::Folder => {
                let (path, _) = layer.output_dir.as_ref()?;
                path.as_os_str().is_empty().then(|| String::from("\"\""))
            }
            Self::Switch(_) | Self::Level | Self::Count(_) => None,
        }
    }

    /// Formats the accepted values for an error about `origin`.
    pub(super) fn expected<'a>(&'a self, origin: &'a Origin) -> impl fmt::Display + 'a {
        fmt::from_fn(move |out| match self {
            Self::Switch(_) if matches!(origin, Origin::Variable(_)) => {
                out.write_str("one of 1, 0, true, false, on, off")
            }
            Self::Switch(_) => out.write_str("true or false"),
            Self::Folder => out.write_str("the path of a folder"),
            Self::Time(_, limits) => {
                let (from, to) = (format_duration(*limits.start()), format_duration(*limits.end()));
                write!(out, "a time from {from} to {to}")?;
                match origin {
                    Origin::Method(_) => Ok(()),
                    Origin::Variable(_) => out.write_str(", such as 500ms or 5s"),
                    _ => out.write_str(", such as \"500ms\" or \"5s\""),
                }
            }
            Self::Level => write!(out, "one of {}", keywords(Level::ALL, origin)),
            Self::Count(_) => out.write_str("a whole number, 0 for none"),
            Self::Amount(_, limits) => {
                write!(out, "at least {}", Budget::of_bytes(*limits.start()))?;
                match origin {
                    Origin::Method(_) => Ok(()),
                    Origin::Variable(_) => out.write_str(", such as 64MiB or 67108864"),
                    _ => out.write_str(", such as \"64 MiB\" or 67108864"),
                }
            }
        })
    }
}

/// Formats the accepted keywords, quoted as in the format of `origin`.
fn keywords(all: &[impl fmt::Display], origin: &Origin) -> String {
    let quote = if matches!(origin, Origin::Variable(_)) { "" } else { "\"" };
    let quoted: Vec<_> = all.iter().map(|keyword| format!("{quote}{keyword}{quote}")).collect();
    quoted.join(", ")
}
