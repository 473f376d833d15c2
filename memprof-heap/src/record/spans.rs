//! Spans of `tracing` as operations. A span is counted while it is entered, on any thread.
//!
//! A program need not exit spans in the order in which it entered them, and may enter a span again
//! before it has exited it. So each thread has a list of the spans that are entered on it. Each call
//! site of spans has one operation, which is never freed, like those that `operation!` names.

use crate::record::level::LevelWord;
use crate::record::named::NamedOperations;
use crate::record::operation::OperationSite;
use crate::record::operation::Parts;
use crate::record::paths;
use crate::record::running::{Place, current_path};
use core::cell::RefCell;
use tracing_core::callsite::Identifier;
use tracing_core::span::{Attributes, Id};
use tracing_core::{Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::{LookupSpan, SpanRef};

/// A layer of a `tracing` subscriber that makes each span an operation with the span's name.
///
/// ```
/// use memprof::heap::operation::MemoryLayer;
/// use memprof::heap::{operations, Level};
/// use memprof::Allocator;
/// use tracing_subscriber::layer::SubscriberExt;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// let subscriber = tracing_subscriber::registry().with(MemoryLayer::new());
/// tracing::subscriber::with_default(subscriber, || {
///     tracing::info_span!("load").in_scope(|| drop(vec![0_u8; 1000]));
/// });
///
/// let operations = operations()?;
/// let load = operations.find("load").expect("it ran");
/// assert_eq!((load.calls, load.allocated_bytes, load.net_bytes()), (1, 1000, 0));
/// # Ok(())
/// # }
/// ```
///
/// A span is one call, however often it is entered. For example, a future that is instrumented with
/// a span is counted poll by poll, on any thread. The call is over when the span closes, that is,
/// when its last handle is dropped. Its wall time ends at the last exit from the span. A span that
/// is never entered is not a call.
///
/// A span belongs to the operation that runs where the span is created, or to the parent that it
/// names. The fields of spans are ignored, so each span in the source has one name.
///
/// # Which spans
/// By default, the layer counts the spans at the level `INFO` and above that the subscriber
/// enables. Libraries usually have their spans at `DEBUG` and `TRACE`, and some create one for each
/// message that they send. [`with_spans`](Self::with_spans) selects other spans.
///
/// # Cost
/// Creating a span takes two locks that no thread holds for a long time; entering and exiting take
/// one. Allocations of `tracing` for a span count for the outer operation. So does the layer's data
/// for the span: about 100 bytes while the span is open.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLayer {
    spans: fn(&Metadata<'_>) -> bool,
}

impl MemoryLayer {
    /// Creates a layer that makes operations of all spans at `INFO` and above.
    pub const fn new() -> Self {
        Self { spans: |span| *span.level() <= Level::INFO }
    }

    /// Turns the spans for which `spans` returns true into operations, at any level.
    ///
    /// ```
    /// use memprof::heap::operation::MemoryLayer;
    ///
    /// let layer = MemoryLayer::new().with_spans(|span| span.target().starts_with("shop::"));
    /// ```
    #[must_use]
    pub const fn with_spans(mut self, spans: fn(&Metadata<'_>) -> bool) -> Self {
        self.spans = spans;
        self
    }
}

impl Default for MemoryLayer {
    fn default() -> Self {
        Self::new()
    }
}

/// The counts of a span, kept in its extensions.
struct Call {
    parts: Parts,
    /// The time at which the span was last exited, if it is timed.
    left: Option<u64>,
}

impl<S> Layer<S> for MemoryLayer
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    fn on_new_span(&self, span: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if !(self.spans)(span.metadata()) {
            return;
        }
        let within = around(span, &context);
        let (path, _) = paths::path_to(within, site(span.metadata()));
        let call = Call { parts: Parts::new(path), left: None };
        if let Some(span) = context.span(id) {
            // Another layer of this kind may have stored a call.
            span.extensions_mut().replace(call);
        }
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        if LevelWord::now().is_off() {
            return;
        }
        let Some(span) = context.span(id) else { return };
        enter(id, || span.extensions_mut().get_mut::<Call>().map(|call| call.parts.enter()));
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        let Some(exit) = exit(id) else { return };
        let span = context.span(id);
        let mut extensions = span.as_ref().map(SpanRef::extensions_mut);
        let call = extensions.as_mut().and_then(|extensions| extensions.get_mut::<Call>());
        match call.filter(|_| exit.is_whole) {
            Some(call) => {
                call.parts.leave(exit.end);
                call.left = call.parts.now();
            }
            // Either an earlier entry of the same span counts what this entry counted, or the span
            // has no call to add to.
            None => super::operation::discard(exit.end),
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let call = span.extensions_mut().remove::<Call>();
        if let Some(call) = call.filter(|call| call.parts.begun()) {
            call.parts.end_at(call.left);
        }
    }
}

fn around<S>(span: &Attributes<'_>, context: &Context<'_, S>) -> u32
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    if span.is_contextual() {
        return current_path();
    }
    let parent = span.parent().and_then(|parent| context.span(parent));
    let mut outer = parent.into_iter().flat_map(|parent| parent.scope());
    outer
        .find_map(|span| Some(span.extensions().get::<Call>()?.parts.path()))
        .unwrap_or(paths::ROOT)
}

pub(crate) fn site(span: &'static Metadata<'static>) -> &'static OperationSite {
    static SPANS: NamedOperations<Identifier> = NamedOperations::new();
    SPANS.get_or_add(&span.callsite(), || {
        let (file, line) = (span.file().unwrap_or_default(), span.line().unwrap_or_default());
        (span.callsite(), OperationSite::new(span.name(), file, line))
    })
}

struct Entry {
    span: u64,
    end: Place,
}

thread_local! {
    static ENTERED: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

struct Exit {
    /// The end of the part that the entry began.
    end: Place,
    /// True if the span is no longer entered on this thread.
    is_whole: bool,
}

/// Records that a span is entered. `begin` begins its part.
pub(crate) fn enter(span: &Id, begin: impl FnOnce() -> Option<Place>) {
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
fn exit(span: &Id) -> Option<Exit> {
    let span = span.into_u64();
    let exit = ENTERED.try_with(|entered| {
        let mut entered = entered.borrow_mut();
        let at = entered.iter().rposition(|entry| entry.span == span)?;
        let end = entered.remove(at).end;
        let again = entered[..at].iter().any(|entry| entry.span == span);
        Some(Exit { end, is_whole: !again })
    });
    exit.ok().flatten()
}
