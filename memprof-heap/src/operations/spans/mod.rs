//! Spans of `tracing` as operations. A span is counted while it is entered, on any thread.

mod callsites;
mod entered;

use super::parts::Parts;
use super::paths;
use crate::base::level_word::LevelWord;
use crate::thread::threads;
use entered::Exit;
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

    /// Makes operations of the spans for which `spans` returns true, at any level.
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
        let (path, _) = paths::path_to(within, callsites::site(span.metadata()));
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
        entered::enter(id, || {
            span.extensions_mut().get_mut::<Call>().map(|call| call.parts.enter())
        });
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        let Some(exit) = entered::exit(id) else { return };
        let span = context.span(id);
        let mut extensions = span.as_ref().map(SpanRef::extensions_mut);
        let call = extensions.as_mut().and_then(|extensions| extensions.get_mut::<Call>());
        match (exit, call) {
            (Exit::Whole(end), Some(call)) => {
                call.parts.leave(end);
                call.left = call.parts.now();
            }
            // Either an earlier entry of the same span counts what this entry counted, or the span
            // has no call to add to.
            (Exit::Inner(end) | Exit::Whole(end), _) => super::parts::discard(end),
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

/// Returns the path of the operation that a new span belongs to.
fn around<S>(span: &Attributes<'_>, context: &Context<'_, S>) -> u32
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    if span.is_contextual() {
        return threads::local().map_or(paths::ROOT, |local| local.activations().current());
    }
    let parent = span.parent().and_then(|parent| context.span(parent));
    let mut outer = parent.into_iter().flat_map(|parent| parent.scope());
    outer
        .find_map(|span| Some(span.extensions().get::<Call>()?.parts.path()))
        .unwrap_or(paths::ROOT)
}
