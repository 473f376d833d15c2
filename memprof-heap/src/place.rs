//! The place in the source that a call stack is known by.

use crate::frames::Frame;
use std::sync::Arc;

/// The frame that a stack belongs to.
pub(crate) fn location(frames: &[Frame]) -> Option<&Frame> {
    frames.iter().find(|frame| frame.is_yours())
}

/// Two frames with the same function, file and line are one place. Copies of a function differ in
/// their address alone.
pub(crate) type Place = (Option<Arc<str>>, Option<Arc<str>>, Option<u32>);

pub(crate) fn place(frame: &Frame) -> Place {
    (frame.function.clone(), frame.file.clone(), frame.line)
}
