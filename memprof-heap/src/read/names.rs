//! The extent to which frames are named in the process.

memprof_profile::keywords! {
    /// The extent to which frames are named in the process.
    ///
    /// Without names, frames have their addresses. The command `memprof` finds the names of a
    /// recording's addresses outside of the process.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Names {
        /// Frames have addresses only. Nothing is read.
        Off => "off",
        /// Frames have functions, files and lines. Reading the program's debug information takes
        /// tens of megabytes of memory, or hundreds in a large program.
        #[default]
        Lines => "lines",
    }
}
