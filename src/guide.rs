//! Guides with examples.

#[cfg(feature = "heap")]
#[doc = include_str!("../docs/by-hand.md")]
///
/// # In the reference
/// [`MemoryProfile`](trait@crate::MemoryProfile), [`Walk`](crate::walk::Walk), [`Position`](crate::walk::Position),
/// [`Shape`](crate::walk::Shape), [`Field`](crate::walk::Field), [`assert_exact!`](crate::assert_exact)
pub mod by_hand {}

#[cfg(all(feature = "heap", feature = "track"))]
#[doc = include_str!("../docs/allocations.md")]
///
/// # In the reference
/// [`Allocator`](crate::Allocator), [`Level`](crate::heap::Level),
/// [`totals`](crate::heap::totals()), [`sites`](crate::heap::sites()),
/// [`largest`](crate::heap::largest()), [`measure`](crate::heap::measure()),
/// [`operation!`](crate::operation), [`track`](macro@crate::track),
/// [`TrackFuture`](crate::heap::TrackFuture), [`OperationSite`](crate::heap::OperationSite),
/// [`operations`](crate::heap::operations()), [`Operation`](crate::heap::Operation)
pub mod allocations {}

#[cfg(all(feature = "heap", feature = "session"))]
#[doc = include_str!("../docs/session.md")]
///
/// # In the reference
/// [`Session`](crate::Session), [`SessionBuilder`](crate::session::SessionBuilder),
/// [`SessionHandle`](crate::session::SessionHandle), [`Report`](crate::session::Report),
/// [`Recording`](crate::session::Recording), [`Source`](trait@crate::source::Source)
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
/// [`Statistics`](crate::report::Statistics), [`Role`](crate::tree::Role), [`Comparison`](crate::views::Comparison),
/// [`Tensor`](crate::tensor::Tensor), [`Storage`](crate::tensor::Storage), [`Device`](crate::tree::Device),
/// [`SharingAnalysis`](crate::report::SharingAnalysis), [`Shared`](crate::walk::Shared),
/// [`Walk::shareable`](crate::walk::Walk::shareable), [`Walk::shared`](crate::walk::Walk::shared),
/// [`Report`](crate::report::Report), [`Recommendation`](crate::report::Recommendation),
/// [`Advisor`](crate::report::Advisor), [`Rule`](crate::report::Rule), [`Thresholds`](crate::report::Thresholds)
pub mod reports {}

#[cfg(feature = "json")]
#[doc = include_str!("../docs/testing.md")]
///
/// # In the reference
/// [`assert_budget!`](crate::assert_budget), [`assert_profile!`](crate::assert_profile),
/// [`report!`](macro@crate::report), [`Budget`](crate::testing::Budget), [`Tolerance`](crate::testing::Tolerance),
/// [`Diff`](crate::views::Diff)
pub mod testing {}

#[cfg(feature = "heap")]
#[doc = include_str!("../docs/leaks.md")]
///
/// # In the reference
/// [`assert_no_leak!`](crate::assert_no_leak), [`check_no_leak`](crate::heap::check_no_leak),
/// [`LeakWatch`](crate::heap::LeakWatch), [`Leaks`](crate::heap::Leaks)
pub mod leaks {}
