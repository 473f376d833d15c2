//! The role of a field: data, metadata or auxiliary.

crate::keywords! {
    /// The purpose of the bytes below a field. A field without a role inherits the role of its
    /// parent field.
    ///
    /// `#[profile(role = "…")]` and files use the same words.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Role {
        /// The payload that the program exists for.
        #[default]
        Data => "data",
        /// Descriptions of the payload: names, units, shapes.
        Metadata => "metadata",
        /// Data that could be recomputed or dropped: caches, uncertainties, scratch space.
        Auxiliary => "auxiliary",
    }
}
