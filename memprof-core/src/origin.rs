//! The origin of a profile, which limits what it contains.

crate::keywords! {
    /// The origin of a profile; those further down the list know less.
    ///
    /// A profile of values has all figures. Counters have names, bytes and the memory these are in.
    /// Folded stacks have names and bytes only: counts, roles and sharing are unknown then, not 0,
    /// and so is whether the bytes are exact.
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
        /// Values of a program, walked.
        #[default]
        Values => "values",
        /// Counters of a device, an allocator or a library.
        Counters => "counters",
        /// Folded stacks, as any tool writes them.
        Folded => "folded",
    }
}
