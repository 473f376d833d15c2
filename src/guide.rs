//! Guides with examples.

#[cfg(feature = "heap")]
#[doc = include_str!("../docs/by-hand.md")]
///
/// # In the reference
/// [`MemoryProfile`](trait@crate::MemoryProfile), [`Walk`](crate::Walk), [`At`](crate::At),
/// [`Shape`](crate::Shape), [`Field`](crate::Field), [`assert_exact!`](crate::assert_exact)
pub mod by_hand {}

#[cfg(all(feature = "heap", feature = "track"))]
#[doc = include_str!("../docs/allocations.md")]
///
/// # In the reference
/// [`Allocator`](crate::Allocator), [`Level`](crate::heap::Level),
/// [`totals`](crate::heap::totals()), [`sites`](crate::heap::sites()),
/// [`largest`](crate::heap::largest()), [`measure`](crate::heap::measure()),
/// [`operation!`](crate::operation), [`track`](macro@crate::track),
/// [`TrackFuture`](crate::TrackFuture), [`OperationSite`](crate::OperationSite),
/// [`operations`](crate::heap::operations()), [`Operation`](crate::heap::Operation)
pub mod allocations {}

#[cfg(all(feature = "heap", feature = "session"))]
#[doc = include_str!("../docs/session.md")]
///
/// # In the reference
/// [`Session`](crate::Session), [`SessionBuilder`](crate::session::SessionBuilder),
/// [`SessionHandle`](crate::session::SessionHandle), [`Report`](crate::session::Report),
/// [`Recording`](crate::session::Recording), [`Source`](trait@crate::Source)
pub mod session {}

#[cfg(feature = "export")]
#[doc = include_str!("../docs/page.md")]
///
/// # In the reference
/// [`Page`](crate::export::Page), [`Pprof`](crate::export::Pprof),
/// [`DiffFlamegraph`](crate::export::DiffFlamegraph)
pub mod page {}

#[cfg(all(feature = "gpu", feature = "pool", feature = "session", feature = "json"))]
#[doc = include_str!("../docs/gpu.md")]
///
/// # In the reference
/// [`GpuSource`](crate::gpu::GpuSource), [`DeviceStatistics`](crate::gpu::DeviceStatistics),
/// [`cuda`](crate::gpu::cuda), [`pool`](crate::pool)
pub mod gpu {}

#[doc = include_str!("../docs/reports.md")]
///
/// # In the reference
/// [`Statistics`](crate::Statistics), [`Role`](crate::Role), [`Comparison`](crate::Comparison),
/// [`Tensor`](crate::Tensor), [`Storage`](crate::Storage), [`Device`](crate::Device),
/// [`SharingAnalysis`](crate::SharingAnalysis), [`Shared`](crate::Shared),
/// [`Walk::shareable`](crate::Walk::shareable), [`Walk::shared`](crate::Walk::shared),
/// [`Report`](crate::Report), [`Recommendation`](crate::Recommendation),
/// [`Advisor`](crate::Advisor), [`Rule`](crate::Rule), [`Thresholds`](crate::Thresholds)
pub mod reports {}

#[cfg(feature = "json")]
#[doc = include_str!("../docs/testing.md")]
///
/// # In the reference
/// [`assert_budget!`](crate::assert_budget), [`assert_profile!`](crate::assert_profile),
/// [`report!`](macro@crate::report), [`Budget`](crate::Budget), [`Tolerance`](crate::Tolerance),
/// [`Diff`](crate::Diff)
pub mod testing {}

#[cfg(feature = "heap")]
#[doc = include_str!("../docs/leaks.md")]
///
/// # In the reference
/// [`assert_no_leak!`](crate::assert_no_leak), [`check_no_leak`](crate::heap::check_no_leak),
/// [`LeakWatch`](crate::heap::LeakWatch), [`Leaks`](crate::heap::Leaks)
pub mod leaks {}
