//! What a session samples besides values and the heap: a GPU, a pool, a cache of a C library.

use crate::{Device, Gauge, Profile};
use std::error::Error;

/// Something outside the program's values that can tell, at any time, who holds how much of it.
///
/// A session reads it for each snapshot. What can't be read is an error that says why, never 0.
///
/// ```
/// use memprof_profile::{Profile, Source};
/// use std::error::Error;
///
/// /// A cache that a C library keeps, of which only the size is known.
/// struct TextureCache;
///
/// impl Source for TextureCache {
///     fn name(&self) -> &str {
///         "textures"
///     }
///
///     fn read(&mut self) -> Result<Profile, Box<dyn Error + Send + Sync>> {
///         let (used, unused) = (3 << 20, 1 << 20); // asked of the library
///         Ok(Profile::from_folded(&format!("textures;used {used}\ntextures;unused {unused}\n"))?)
///     }
/// }
///
/// assert_eq!(TextureCache.read()?.total_bytes(), 4 << 20);
/// # Ok::<(), Box<dyn Error + Send + Sync>>(())
/// ```
pub trait Source: Send {
    /// What it is called in snapshots; the name of its profile's root, as a rule.
    fn name(&self) -> &str;

    /// Who holds how much now, as a profile.
    ///
    /// # Errors
    /// If it can't be known now. The session records the reason and goes on.
    ///
    /// # Cost
    /// It is called on the session's thread, once for each snapshot, and should not wait for
    /// anything that takes longer than some milliseconds.
    fn read(&mut self) -> Result<Profile, Box<dyn Error + Send + Sync>>;

    /// Told before each [`read`](Self::read): what the registered roots hold in each memory.
    ///
    /// A source whose bytes are partly those can tell them apart below a branch called
    /// [`ATTRIBUTED`].
    fn beside_roots(&mut self, held: &[(Device, u64)]) {
        let _ = held;
    }

    /// What else the last [`read`](Self::read) found, that is no part of its bytes.
    fn gauges(&self) -> Vec<Gauge> {
        Vec::new()
    }
}

/// The branch of a source's profile that holds what the program's values say they own, too.
///
/// Where roots and sources are shown as one profile, it is left out, so that nothing counts twice.
pub const ATTRIBUTED: &str = "attributed";
