//! The replacement of `bounded` on platforms without a look-up in bounded memory. On these
//! platforms, the heap's queries name frames.

use memprof_recording::document::{StackTable, Summary};

#[derive(Debug, Default)]
pub(crate) struct BoundedNames;

impl BoundedNames {
    #[expect(clippy::unused_self, reason = "same signature as in `bounded`")]
    pub(crate) fn resolve(&mut self, _: &mut Summary, _: usize) {}

    #[expect(clippy::unused_self, reason = "same signature as in `bounded`")]
    pub(crate) fn resolve_stacks(&mut self, _: &mut StackTable, _: &[u32]) {}
}
