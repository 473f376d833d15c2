//! Libraries that are loaded while the program runs.

use libc::c_int;
use std::ffi::{CStr, CString, OsStr};
use std::mem;
use std::os::unix::ffi::OsStrExt;

/// Loads a library, calls a function of it, and unloads the library.
pub fn call(library: &OsStr, function: &CStr) -> c_int {
    let path = CString::new(library.as_bytes()).expect("a path has no NUL");
    // SAFETY: the path is live and ends with a NUL.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
    assert!(!handle.is_null(), "the library can be loaded");
    // SAFETY: the library is loaded, and the name ends with a NUL.
    let address = unsafe { libc::dlsym(handle, function.as_ptr()) };
    assert!(!address.is_null(), "the library exports the function");
    // SAFETY: the libraries of tests export functions of this type only.
    let function: extern "C" fn() -> c_int = unsafe { mem::transmute(address) };
    let result = function();
    // SAFETY: the library was loaded above, and nothing of it is used any more.
    unsafe { libc::dlclose(handle) };
    result
}
