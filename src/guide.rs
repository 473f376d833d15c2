//! Guides with examples.
//!
#![cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#![doc = include_str!("../docs/README.md")]

// Each file of `docs` ends with the definitions of its links to other files. `guide/links.md`
// defines the same links for rustdoc: they lead to the modules here and to the package's files on
// docs.rs. The definitions in `links.md` come first, so they override the file's own. The links
// lead to all modules, which only the feature `full` includes.

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/tutorial.md")]
pub mod tutorial {}

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/comparison.md")]
pub mod comparison {}

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/faq.md")]
pub mod faq {}

#[cfg(feature = "heap")]
#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/values.md")]
///
/// # In the reference
/// [`MemoryProfile`](trait@crate::MemoryProfile), [`Walk`](crate::walk::Walk), [`Position`](crate::walk::Position),
/// [`Shape`](crate::walk::Shape), [`Field`](crate::walk::Field), [`assert_exact!`](crate::assert_exact),
/// [`Measured`](crate::heap::Measured), [`Each`](crate::walk::Each),
/// [`Walk::guarded`](crate::walk::Walk::guarded), [`Walk::estimated`](crate::walk::Walk::estimated),
/// [`Walk::opaque`](crate::walk::Walk::opaque), [`Profile::estimate`](crate::Profile::estimate),
/// [`Budget`](crate::large::Budget), [`EstimatedProfile`](crate::large::EstimatedProfile),
/// [`Interval`](crate::large::Interval)
pub mod values {}

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/reports.md")]
///
/// # In the reference
/// [`Statistics`](crate::report::Statistics), [`Role`](crate::tree::Role), [`Comparison`](crate::views::Comparison),
/// [`Tensor`](crate::walk::Tensor), [`Storage`](crate::walk::Storage), [`Device`](crate::tree::Device),
/// [`SharingAnalysis`](crate::report::SharingAnalysis), [`Shared`](crate::walk::Shared),
/// [`Walk::shareable`](crate::walk::Walk::shareable), [`Walk::shared`](crate::walk::Walk::shared),
/// [`Report`](crate::report::Report), [`Recommendation`](crate::report::Recommendation),
/// [`Advisor`](crate::report::Advisor), [`Rule`](crate::report::Rule), [`Thresholds`](crate::report::Thresholds)
pub mod reports {}

#[cfg(all(feature = "heap", feature = "json"))]
#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/testing.md")]
///
/// # In the reference
/// [`assert_budget!`](crate::assert_budget), [`assert_profile!`](macro@crate::testing::assert_profile),
/// [`report!`](macro@crate::report), [`Budget`](crate::testing::Budget), [`Tolerance`](crate::testing::Tolerance),
/// [`Diff`](crate::views::Diff), [`assert_no_leak!`](crate::assert_no_leak),
/// [`check_no_leak`](crate::heap::leak::check_no_leak)
pub mod testing {}

#[cfg(all(feature = "heap", feature = "track"))]
#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/allocations.md")]
///
/// # In the reference
/// [`Allocator`](crate::Allocator), [`Level`](crate::heap::Level),
/// [`totals`](crate::heap::totals()), [`sites`](crate::heap::sites()),
/// [`largest`](crate::heap::largest()), [`measure`](crate::heap::measure()),
/// [`operation!`](macro@crate::operation), [`track`](macro@crate::track),
/// [`TrackFuture`](crate::heap::operation::TrackFuture), [`OperationSite`](crate::heap::operation::OperationSite),
/// [`operations`](crate::heap::operations()), [`Operation`](crate::heap::operation::Operation),
/// [`LeakWatch`](crate::heap::leak::LeakWatch), [`Leaks`](crate::heap::leak::Leaks)
pub mod allocations {}

#[cfg(feature = "export")]
#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/session.md")]
///
/// # In the reference
/// [`Session`](crate::Session), [`SessionBuilder`](crate::session::SessionBuilder),
/// [`SessionHandle`](crate::session::SessionHandle), [`Document`](crate::session::Document),
/// [`Recording`](crate::session::Recording), [`Source`](trait@crate::source::Source),
/// [`Page`](crate::export::Page), [`Pprof`](crate::export::Pprof), [`serve`](crate::session::serve())
pub mod session {}

#[cfg(all(feature = "gpu", feature = "pool", feature = "session", feature = "json"))]
#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/gpu.md")]
///
/// # In the reference
/// [`GpuSource`](crate::gpu::GpuSource), [`DeviceStatistics`](crate::gpu::DeviceStatistics),
/// [`GpuRule`](crate::gpu::GpuRule), [`DeviceSampler`](crate::gpu::DeviceSampler),
/// [`Cuda`](crate::gpu::cuda::Cuda), [`pool`](crate::pool),
/// [`MemoryResource`](crate::pool::MemoryResource)
pub mod gpu {}

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/command-line.md")]
pub mod command_line {}

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/format.md")]
pub mod format {}

#[cfg_attr(feature = "full", doc = include_str!("guide/links.md"))]
#[doc = include_str!("../docs/glossary.md")]
pub mod glossary {}
