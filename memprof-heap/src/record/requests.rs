//! Requests of a tower service as operations, named by their route.
//!
//! A middleware sees each request before the handler's future exists. Both the call that makes the
//! future and its polls belong to the request, so that what one allocates and the other frees
//! cancels out.

use crate::record::named::NamedOperations;
use crate::record::operation::{OperationSite, Tracked};
use core::fmt;
use core::task::{Context, Poll};
use tower_layer::Layer;
use tower_service::Service;

/// A tower layer that makes each request an operation, named after its route.
///
/// `route` returns the name of a request. Return the template of the path, such as axum's
/// `MatchedPath`, not the path itself: after 1,000 names, all others are counted as `<other>`.
///
/// ```
/// use memprof::heap::operation::RequestLayer;
/// use memprof::heap::{operations, Level};
/// use memprof::Allocator;
/// use std::convert::Infallible;
/// # use std::{pin::pin, task::{Context, Waker}};
/// use tower_layer::Layer;
/// use tower_service::Service;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # #[derive(Clone)] struct Answers;
/// # impl Service<&'static str> for Answers {
/// #     type Response = String;
/// #     type Error = Infallible;
/// #     type Future = std::future::Ready<Result<String, Infallible>>;
/// #     fn poll_ready(&mut self, _: &mut Context<'_>) -> std::task::Poll<Result<(), Infallible>> {
/// #         std::task::Poll::Ready(Ok(()))
/// #     }
/// #     fn call(&mut self, path: &'static str) -> Self::Future {
/// #         std::future::ready(Ok(path.repeat(100)))
/// #     }
/// # }
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// let layer = RequestLayer::new(|path: &&'static str| *path);
/// let mut service = layer.layer(Answers);
/// let answer = service.call("/items");
/// # let _ = pin!(answer).as_mut().poll(&mut Context::from_waker(Waker::noop()));
///
/// let operations = operations()?;
/// assert_eq!(operations.find("/items").expect("it ran").calls, 1);
/// # Ok(())
/// # }
/// ```
///
/// With axum:
///
/// ```ignore
/// let requests = RequestLayer::new(|request: &axum::extract::Request| {
///     request.extensions().get::<MatchedPath>().map_or("<no route>", MatchedPath::as_str)
/// });
/// let app = Router::new().route("/items/{id}", get(item)).route_layer(requests);
/// ```
///
/// # Cost
/// A request takes a lock that no thread holds for a long time, and one lookup by name.
#[derive(Clone, Copy)]
pub struct RequestLayer<F> {
    route: F,
}

impl<F> RequestLayer<F> {
    /// Creates a layer with a function that returns the route of a request.
    pub fn new<R>(route: F) -> Self
    where
        F: Fn(&R) -> &str + Clone,
    {
        Self { route }
    }
}

impl<F> fmt::Debug for RequestLayer<F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("RequestLayer").finish_non_exhaustive()
    }
}

impl<S, F: Clone> Layer<S> for RequestLayer<F> {
    type Service = CountedService<S, F>;

    fn layer(&self, service: S) -> Self::Service {
        CountedService { service, route: self.route.clone() }
    }
}

/// A service whose requests are operations. [`RequestLayer`] creates it.
#[derive(Clone, Copy)]
pub struct CountedService<S, F> {
    service: S,
    route: F,
}

impl<S: fmt::Debug, F> fmt::Debug for CountedService<S, F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("CountedService").field(&self.service).finish()
    }
}

impl<S, F, R> Service<R> for CountedService<S, F>
where
    S: Service<R>,
    F: Fn(&R) -> &str,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Tracked<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: R) -> Self::Future {
        static ROUTES: NamedOperations<&'static str> = NamedOperations::new();
        let operation = ROUTES.get_or_add((self.route)(&request), || {
            let route: &'static str = String::from((self.route)(&request)).leak();
            (route, OperationSite::new(route, "", 0))
        });
        Tracked::begun_by(operation, || self.service.call(request))
    }
}
