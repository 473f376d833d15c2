//! How much a profile may grow: a share of it or an amount.
