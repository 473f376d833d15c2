//! Answers for a program's own HTTP server.
//!
//! A scrape reads the last snapshot, so it holds no lock of the program any longer than the session
//! does without it. Names are looked up on the caller's thread, for the page and for stacks.

use crate::heap::as_profiler;
use crate::session::{SessionHandle, owned};
use memprof_export::{Request, Response};
use memprof_recording::SymbolSearch;

/// The status for a request that is answered from a recording, without one.
const UNRECORDED: u16 = 503;

/// Answers a GET request about the running session.
///
/// | path | response |
/// |---|---|
/// | `/metrics` | the last snapshot, for Prometheus; a new one is taken at most once per interval |
/// | `/debug/pprof/heap` | the current live bytes by call stack, for pprof; with `?debug=1` as folded stacks |
/// | `/debug/memprof` | the page, with at most six snapshots |
///
/// The responses and the accepted hosts are those of `memprof::export::serve`. If nothing is
/// recorded, the status is 503.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use memprof::session::{Request, Session, serve};
///
/// let session = Session::start()?;
/// let handle = session.handle();
/// // In a route of the program's HTTP server:
/// let response = serve(&Request { path: "/metrics", query: "", host: "127.0.0.1" }, &handle);
/// println!("{} {}", response.status, response.content_type);
/// # Ok(())
/// # }
/// ```
///
/// # Cost
/// `/metrics` waits for the session's thread, usually for less than a millisecond. The other paths
/// look up the names of 50 stacks, which takes at most a second.
pub fn serve(request: &Request<'_>, handle: &SessionHandle) -> Response {
    // A request that is refused costs the session nothing.
    let without = memprof_export::serve(request, None);
    if without.status != UNRECORDED {
        return without;
    }
    let response = as_profiler(|| {
        let recording = handle.recording().map(|mut recording| {
            if request.path.starts_with("/debug/") {
                // Frames that are not found keep their addresses.
                let _ = SymbolSearch::in_this_process().resolve(&mut recording);
            }
            recording
        });
        memprof_export::serve(request, recording.as_ref())
    });
    owned(response)
}
