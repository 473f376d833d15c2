//! Operations: named in the code, and not counted.

use core::marker::PhantomData;

/// An operation as it stands in the program: its name and its place.
#[derive(Debug)]
pub struct OperationSite {
    name: &'static str,
    file: &'static str,
    line: u32,
}

impl OperationSite {
    /// An operation of this name, at a place in the source.
    pub const fn new(name: &'static str, file: &'static str, line: u32) -> Self {
        Self { name, file, line }
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The file it stands in.
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// The line it stands in.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// With the feature `heap`, begins the operation on the current thread.
    #[inline]
    pub fn enter(&'static self) -> OperationGuard {
        OperationGuard { stays: PhantomData }
    }
}

/// With the feature `heap`, an operation that runs until this is dropped.
///
/// # Cost
/// None: it has no size, and dropping it does nothing.
#[derive(Debug)]
#[must_use = "the operation ends when the guard is dropped: `let _operation = …`"]
pub struct OperationGuard {
    stays: PhantomData<*const ()>,
}

// So that dropping it by hand is no mistake, as it is none where it counts.
impl Drop for OperationGuard {
    #[inline]
    fn drop(&mut self) {}
}

/// Names the work from here to the end of the scope: with the feature `heap`, what it allocates is
/// counted.
///
/// # Cost
/// None.
#[macro_export]
macro_rules! operation {
    ($name:expr $(,)?) => {{
        static OPERATION: $crate::OperationSite =
            $crate::OperationSite::new($name, ::core::file!(), ::core::line!());
        OPERATION.enter()
    }};
}
