//! Sources that a session reads besides values and the heap, such as a GPU, a pool or a cache of a
//! C library.
//!
//! | question | item |
//! |---|---|
//! | How does a session read other bytes? | [`Source`] |
//! | How does a source report a value other than bytes? | [`Gauge`] |
//! | Which branch has the bytes that a source attributes to values? | [`ATTRIBUTED`] |

use crate::Profile;
use crate::tree::Device;
use std::error::Error;

/// A provider of measurements other than values and the heap, which can be read at any time.
///
/// A session reads it for each snapshot. If a measurement fails, return an error with the reason,
/// never 0.
///
/// ```
/// use memprof::source::Source;
/// use memprof::Profile;
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
    /// Returns the name in snapshots, usually the name of the root of the source's profile.
    fn name(&self) -> &str;

    /// Reads the current bytes, by name, as a profile.
    ///
    /// # Errors
    /// Returns an error if the bytes can't be read now. The session records the reason and
    /// continues.
    ///
    /// # Cost
    /// A session thread calls this method once per snapshot. The method should not block for more
    /// than a few milliseconds.
    fn read(&mut self) -> Result<Profile, Box<dyn Error + Send + Sync>>;

    /// Receives the bytes of the registered roots in each memory, before each [`read`](Self::read).
    ///
    /// If some of the source's bytes belong to those roots, the source can report them below a
    /// branch named [`ATTRIBUTED`].
    fn set_attributed(&mut self, held: &[(Device, u64)]) {
        let _ = held;
    }

    /// Returns the gauges of the last [`read`](Self::read), which are not part of its bytes.
    fn gauges(&self) -> Vec<Gauge> {
        Vec::new()
    }
}

/// The branch of a source's profile for bytes that the program's values also own.
///
/// A joint profile of roots and sources leaves this branch out, so that these bytes do not count
/// twice.
pub const ATTRIBUTED: &str = "attributed";

/// A value that a source reports besides its bytes, or the reason why it is unknown.
///
/// ```
/// use memprof::source::Gauge;
///
/// let hot = Gauge::new("cuda:0 temperature", "celsius", Ok(41));
/// assert_eq!(hot.value, Ok(41));
/// let unknown = Gauge::new("cuda:0 power", "milliwatts", Err("not supported".into()));
/// assert!(unknown.value.is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gauge {
    /// The name of the gauge.
    pub name: String,
    /// The unit: `bytes`, `celsius`, `milliwatts`, `ns`.
    pub unit: &'static str,
    /// The value, or the reason why it is unknown.
    pub value: Result<u64, String>,
}

impl Gauge {
    /// Creates a gauge with a name and a unit.
    pub fn new(name: impl Into<String>, unit: &'static str, value: Result<u64, String>) -> Self {
        Self { name: name.into(), unit, value }
    }
}
