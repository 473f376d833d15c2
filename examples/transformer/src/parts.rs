//! The parts of a transformer's memory that are there from the start.

/// A part that a formula foretells and a profile finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    Embeddings,
    Attention,
    Mlp,
    Norms,
    Head,
    /// Cosines and sines of all places, which are no weights but lie beside them.
    Rotary,
    KvCache,
}

impl Part {
    /// The parts of the model.
    pub(crate) const MODEL: [Self; 6] =
        [Self::Embeddings, Self::Attention, Self::Mlp, Self::Norms, Self::Head, Self::Rotary];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Embeddings => "embeddings",
            Self::Attention => "attention",
            Self::Mlp => "MLP",
            Self::Norms => "norms",
            Self::Head => "head",
            Self::Rotary => "rotary tables",
            Self::KvCache => "KV cache",
        }
    }

    /// Where its tensors are in the profile of the model or of the cache, without the root's name.
    pub(crate) const fn paths(self) -> &'static [&'static str] {
        match self {
            Self::Embeddings => &["embeddings"],
            Self::Attention => &["layers;attention"],
            Self::Mlp => &["layers;mlp"],
            Self::Norms => &["layers;attention_norm", "layers;mlp_norm", "norm"],
            Self::Head => &["head"],
            Self::Rotary => &["rotary"],
            Self::KvCache => &["layers"],
        }
    }
}
