//! The operation for each call site of spans. These operations are leaked; operations that
//! `operation!` names are never freed either.

use crate::operations::OperationSite;
use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};
use tracing_core::Metadata;
use tracing_core::callsite::Identifier;

static SITES: LazyLock<RwLock<HashMap<Identifier, &'static OperationSite>>> =
    LazyLock::new(RwLock::default);

pub(super) fn site(span: &'static Metadata<'static>) -> &'static OperationSite {
    let known = SITES.read().unwrap_or_else(PoisonError::into_inner).get(&span.callsite()).copied();
    known.unwrap_or_else(|| {
        let mut sites = SITES.write().unwrap_or_else(PoisonError::into_inner);
        sites.entry(span.callsite()).or_insert_with(|| {
            let (file, line) = (span.file().unwrap_or_default(), span.line().unwrap_or_default());
            Box::leak(Box::new(OperationSite::new(span.name(), file, line)))
        })
    })
}
