//! The settings of one layer; settings that a layer lacks come from the layers below.

use super::Config;
use super::error::Origin;
use memprof_heap::Level;
use std::path::PathBuf;
use std::time::Duration;

/// The settings of one layer: the environment, the builder or a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    pub(super) enabled: Option<bool>,
    /// The folder, with its origin for the warning if the file system rejects the folder later.
    pub(super) output_dir: Option<(PathBuf, Origin)>,
    pub(super) interval: Option<Duration>,
    pub(super) level: Option<Level>,
    pub(super) walk_budget: Option<Duration>,
    pub(super) operation_events: Option<u64>,
    pub(super) timeline_bytes: Option<u64>,
    pub(super) signals: Option<bool>,
    pub(super) on_exit: Option<bool>,
    pub(super) wall_time: Option<bool>,
}

impl Layer {
    /// Returns the settings of this layer, and the settings of `below` that this layer lacks.
    pub(super) fn over(self, below: Self) -> Self {
        Self {
            enabled: self.enabled.or(below.enabled),
            output_dir: self.output_dir.or(below.output_dir),
            interval: self.interval.or(below.interval),
            level: self.level.or(below.level),
            walk_budget: self.walk_budget.or(below.walk_budget),
            operation_events: self.operation_events.or(below.operation_events),
            timeline_bytes: self.timeline_bytes.or(below.timeline_bytes),
            signals: self.signals.or(below.signals),
            on_exit: self.on_exit.or(below.on_exit),
            wall_time: self.wall_time.or(below.wall_time),
        }
    }

    /// Fills in the defaults; also returns the origin of the output folder.
    pub(super) fn over_defaults(self) -> (Config, Origin) {
        let defaults = Config::default();
        let (output_dir, origin) =
            self.output_dir.unwrap_or((defaults.output_dir, Origin::Default));
        let config = Config {
            enabled: self.enabled.unwrap_or(defaults.enabled),
            output_dir,
            interval: self.interval.unwrap_or(defaults.interval),
            begins_dense: self.interval.is_none(),
            level: self.level.unwrap_or(defaults.level),
            walk_budget: self.walk_budget.unwrap_or(defaults.walk_budget),
            operation_events: self.operation_events.unwrap_or(defaults.operation_events),
            timeline_bytes: self.timeline_bytes.unwrap_or(defaults.timeline_bytes),
            signals: self.signals.unwrap_or(defaults.signals),
            on_exit: self.on_exit.unwrap_or(defaults.on_exit),
            wall_time: self.wall_time.unwrap_or(defaults.wall_time),
        };
        (config, origin)
    }
}
