//! The spans that are entered on a thread.
//!
//! They need not be left in the order in which they were entered, nor once for each time; one may
//! be entered again while it is.

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

/// What a span was left from, with what leaving it needs.
pub(super) enum Exit {
    /// It isn't entered on this thread any more.
    Whole(Place),
    /// It was entered further out as well.
    Inner(Place),
}

/// Notes that a span is entered, where `begin` began it.
pub(super) fn enter(span: &Id, begin: impl FnOnce() -> Option<Place>) {
    // Nothing is counted on a thread that ends.
    let _ = ENTERED.try_with(|entered| {
        // Before it begins, so that this isn't counted for it.
        entered.borrow_mut().reserve(1);
        if let Some(end) = begin() {
            entered.borrow_mut().push(Entry { span: span.into_u64(), end });
        }
    });
}

/// Forgets that a span is entered; `None` if it isn't.
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
