//! The origin of a profile, which limits what it contains.

crate::keywords! {
    /// The kind of source that a profile was made from. A later origin in the list has fewer
    /// figures.
    ///
    /// A profile of values has all figures. Counters have names, bytes and the memory in which the
    /// bytes are. Folded stacks have names and bytes only. Their counts, roles and sharing are
    /// unknown, not 0. It is also unknown whether their bytes are exact.
    ///
    /// ```
    /// use memprof::tree::Origin;
    /// use memprof::Profile;
    ///
    /// assert_eq!(Profile::of(&7_u64).origin(), Origin::Values);
    /// let folded = Profile::from_folded("main;parse 12\n")?;
    /// assert_eq!(folded.origin(), Origin::Folded);
    /// assert!(!folded.is_exact());
    /// # Ok::<(), memprof::views::FoldedError>(())
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Origin {
        /// Values of a program, visited by a walk.
        #[default]
        Values => "values",
        /// Counters of a device, an allocator or a library.
        Counters => "counters",
        /// Folded stacks, which many tools write.
        Folded => "folded",
    }
}
