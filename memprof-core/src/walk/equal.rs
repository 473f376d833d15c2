//! Values of types that request a search for equal values.

use super::Walk;
use crate::position::Position;
use core::hash::Hash;

impl Walk<'_> {
    /// Adds what a value owns, and records whether an equal value was met before.
    ///
    /// The derive calls this method for types marked `#[profile(shareable)]`. After an
    /// [`Observer`](crate::walk::Observer) stops the walk, this method no longer searches for equal
    /// values.
    ///
    /// # Cost
    /// Takes two hashes of the whole value, a table entry for each distinct value, and a record for
    /// each value that repeats one.
    pub fn shareable<T: Hash + ?Sized>(
        &mut self,
        at: Position,
        value: &T,
        owned: impl FnOnce(&mut Self),
    ) {
        let is_stopped = self.is_stopped();
        // A stopped walk does not hash the value, because hashing it takes as long as visiting it.
        let Some(tree) = self.tree.as_mut().filter(|_| !is_stopped) else {
            owned(self);
            return;
        };
        let is_new = tree.equal.insert(value);
        let (context, outer) = tree.sharing.enter_value();
        if !is_new {
            let node = tree.number(at);
            tree.equal.repeat(node, context, size_of_val(value));
        }
        owned(self);
        self.switch_context(outer);
    }
}
