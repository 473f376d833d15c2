//! What a browser lets the page do: run its script and use its style, and nothing else.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The content security policy of a page with that script and style.
///
/// Their hashes are computed, as a page whose script is not the one named would stay empty.
pub(super) fn policy(script: &str, style: &str) -> String {
    format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data: blob:; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'",
        source(script),
        source(style)
    )
}

fn source(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}
