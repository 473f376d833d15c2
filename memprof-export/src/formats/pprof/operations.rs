//! The operations of a session in the pprof format: one sample for each path.

use super::build::{Building, Counted, Frame};
use super::{message, process};
use crate::formats::ExportError;
use crate::formats::shares::Shares;
use crate::formats::stacks;
use memprof_recording::Recording;
use memprof_recording::document::Estimate;

const COUNTED: [Counted; 4] =
    [Counted::AllocObjects, Counted::AllocSpace, Counted::InuseObjects, Counted::InuseSpace];

pub(super) fn build(recording: &Recording) -> Result<message::Profile, ExportError> {
    let metadata = &recording.metadata;
    let operations = stacks::operations(recording)?;
    let live = stacks::has_retained(recording);
    let counted = if live { &COUNTED[..] } else { &COUNTED[..2] };
    let mut building = Building::new(&metadata.program, counted);
    let (mut blocks, mut bytes) = (Shares::default(), Shares::default());
    let share = |estimate: Option<Estimate>, shares: &mut Shares| {
        estimate.map_or(0, |estimate| shares.next(estimate))
    };
    for operation in operations {
        let row = operation.row;
        let values = [
            operation.allocated_blocks,
            row.own_allocated_bytes,
            share(row.retained_blocks, &mut blocks),
            share(row.retained, &mut bytes),
        ];
        let stack = row.path.iter().rev().map(|name| Frame::named(name));
        building.sample(stack, &values[..counted.len()]);
    }
    building.comment(&process(metadata));
    building.time(metadata.started_unix_ns, metadata.generated_ns);
    building.comment("allocations outside all operations are not in this file");
    if live {
        building.comment("inuse_objects and inuse_space are estimated from samples");
    }
    building.finish()
}
