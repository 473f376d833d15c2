//! The spans that are entered on a thread.
//!
//! A program need not exit spans in the order in which it entered them. A program may enter a span
//! again before it has exited the span.

use crate::operations::stack::Place;
use core::cell::RefCell;
use tracing_core::span::Id;

struct Entry {
    span: u64,
    end: Place,
}

thread_local! {
    static ENTERED: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// The result of removing one entry of a span. Each variant holds the end of the part that the
/// entry began.
pub(super) enum Exit {
    /// The span is no longer entered on this thread.
    Whole(Place),
    /// The span is still entered on this thread, by an earlier entry.
    Inner(Place),
}

/// Records that a span is entered. `begin` begins its part.
pub(super) fn enter(span: &Id, begin: impl FnOnce() -> Option<Place>) {
    // This fails on a thread that is ending, where nothing is counted.
    let _ = ENTERED.try_with(|entered| {
        // Reserve before the part begins, so that the span does not count this allocation.
        entered.borrow_mut().reserve(1);
        if let Some(end) = begin() {
            entered.borrow_mut().push(Entry { span: span.into_u64(), end });
        }
    });
}

/// Removes the innermost entry of a span. Returns `None` if it isn't entered.
pub(super) fn exit(span: &Id) -> Option<Exit> {
    let span = span.into_u64();
    let exit = ENTERED.try_with(|entered| {
        let mut entered = entered.borrow_mut();
        let at = entered.iter().rposition(|entry| entry.span == span)?;
        let end = entered.remove(at).end;
        let again = entered[..at].iter().any(|entry| entry.span == span);
        Some(if again { Exit::Inner(end) } else { Exit::Whole(end) })
    });
    exit.ok().flatten()
}
