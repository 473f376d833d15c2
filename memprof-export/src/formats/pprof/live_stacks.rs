//! The live stacks of a moment in the pprof format: one sample for each call stack.

use super::build::{Building, Counted, Frame};
use super::sites::frame;
use super::{message, process};
use crate::formats::ExportError;
use crate::formats::shares::Shares;
use crate::formats::stacks::OTHER_SITES;
use memprof_recording::Recording;
use memprof_recording::document::LiveStacks;

pub(super) fn build(
    recording: &Recording,
    moment: &LiveStacks,
) -> Result<message::Profile, ExportError> {
    let metadata = &recording.metadata;
    let counted = [Counted::InuseObjects, Counted::InuseSpace];
    let mut building = Building::new(&metadata.program, &counted);
    building.set_modules(&recording.stacks.modules);
    let (mut blocks, mut bytes) = (Shares::default(), Shares::default());
    for (frames, live, live_blocks) in recording.live_stack_frames(moment) {
        let values = [blocks.next(live_blocks), bytes.next(live)];
        if frames.is_empty() {
            building.sample([Frame::named(OTHER_SITES)], &values);
        } else {
            building.sample(frames.iter().map(frame), &values);
        }
    }
    building.comment(&process(metadata));
    building.time(metadata.started_unix_ns.saturating_add(moment.at_ns), 0);
    let name = moment.name.as_ref().map_or_else(String::new, |name| format!(" \"{name}\""));
    let trigger = moment.trigger.as_str();
    building.comment(&format!("{trigger}{name}: {} bytes were live, counted", moment.live_bytes));
    building.comment("estimated from samples; each stack of that moment is listed");
    building.finish()
}
