//! Guides with examples.
//!
#![cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#![doc = include_str!("../docs/README.md")]

// A page ends with its links to other files. In rustdoc, the definitions of `guide/links.md` stand
// before them and win: they lead to the modules here, and to the package's files on docs.rs. They
// need all modules, and so the feature `full`.

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/tutorial.md")]
pub mod tutorial {}

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/faq.md")]
pub mod faq {}

#[cfg(feature = "heap")]
#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/by-hand.md")]
///
/// # In the reference
/// [`MemoryProfile`](trait@crate::MemoryProfile), [`Walk`](crate::Walk), [`At`](crate::At),
/// [`Shape`](crate::Shape), [`Field`](crate::Field), [`assert_exact!`](crate::assert_exact)
pub mod by_hand {}

#[cfg(all(feature = "heap", feature = "track"))]
#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
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
#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/session.md")]
///
/// # In the reference
/// [`Session`](crate::Session), [`SessionBuilder`](crate::session::SessionBuilder),
/// [`SessionHandle`](crate::session::SessionHandle), [`Report`](crate::session::Report),
/// [`Recording`](crate::session::Recording), [`Source`](trait@crate::Source)
pub mod session {}

#[cfg(feature = "export")]
#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/page.md")]
///
/// # In the reference
/// [`Page`](crate::export::Page), [`Pprof`](crate::export::Pprof),
/// [`DiffFlamegraph`](crate::export::DiffFlamegraph)
pub mod page {}

#[cfg(all(feature = "gpu", feature = "pool", feature = "session", feature = "json"))]
#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/gpu.md")]
///
/// # In the reference
/// [`GpuSource`](crate::gpu::GpuSource), [`DeviceStatistics`](crate::gpu::DeviceStatistics),
/// [`DeviceDelta`](crate::gpu::DeviceDelta), [`DeviceRule`](crate::gpu::DeviceRule),
/// [`GpuRule`](crate::gpu::GpuRule), [`TraceSampler`](crate::gpu::TraceSampler),
/// [`Cuda`](crate::gpu::cuda::Cuda), [`pool`](crate::pool),
/// [`MemoryResource`](crate::pool::MemoryResource)
pub mod gpu {}

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
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
#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/testing.md")]
///
/// # In the reference
/// [`assert_budget!`](crate::assert_budget), [`assert_profile!`](crate::assert_profile),
/// [`report!`](macro@crate::report), [`Budget`](crate::Budget), [`Tolerance`](crate::Tolerance),
/// [`Diff`](crate::Diff)
pub mod testing {}

#[cfg(feature = "heap")]
#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/leaks.md")]
///
/// # In the reference
/// [`assert_no_leak!`](crate::assert_no_leak), [`check_no_leak`](crate::heap::check_no_leak),
/// [`LeakWatch`](crate::heap::LeakWatch), [`Leaks`](crate::heap::Leaks)
pub mod leaks {}

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/exports.md")]
pub mod exports {}

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/command-line.md")]
pub mod command_line {}

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/accounting.md")]
pub mod accounting {}

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/format.md")]
pub mod format {}

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/glossary.md")]
pub mod glossary {}
