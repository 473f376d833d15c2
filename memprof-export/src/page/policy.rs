//! The permissions of the page in a browser: it may run its script and use its style, and nothing
//! else.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// Returns the content security policy of a page with these scripts and this style.
///
/// The hashes are computed here: if a hash did not match its script, the page would stay empty.
pub(super) fn policy(scripts: &[&str], style: &str) -> String {
    let scripts: Vec<String> = scripts.iter().copied().map(source).collect();
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data: blob:; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'; trusted-types memprof",
        scripts.join(" "),
        source(style)
    )
}

fn source(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}
