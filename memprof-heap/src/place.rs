//! The place in the source that a call stack is known by.

use crate::frames::Frame;
use std::sync::Arc;

/// The frame that a stack belongs to.
pub(crate) fn location(frames: &[Frame]) -> Option<&Frame> {
    frames.iter().find(|frame| frame.is_yours())
}

/// What makes two frames one place: the address differs between copies of a function, the place
/// in the source doesn't.
pub(crate) type Place = (Option<Arc<str>>, Option<Arc<str>>, Option<u32>);

pub(crate) fn place(frame: &Frame) -> Place {
    (frame.function.clone(), frame.file.clone(), frame.line)
}
