//! The frames of the picture with their coordinates. Frames too narrow to see are drawn as one
//! frame.

use super::joined::{JoinedTree, Sides};

/// A frame in the picture.
#[derive(Clone, Debug)]
pub(super) struct Frame<'p> {
    /// The left edge, in pixels.
    pub(super) left: f64,
    pub(super) width: f64,
    /// The number of frames above this frame.
    pub(super) depth: usize,
    pub(super) name: Name<'p>,
    pub(super) total: Sides,
}

/// The name that is drawn in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) enum Name<'p> {
    Path(&'p str),
    /// The number of siblings drawn as one frame.
    Others(usize),
}

/// The minimum width of a frame in pixels. Narrower siblings are drawn as one frame.
const MIN_WIDTH: f64 = 2.0;

/// Returns all frames of a picture of this width in pixels. A frame comes before the frames below
/// it.
#[expect(clippy::cast_precision_loss, reason = "a pixel is coarse")]
pub(super) fn frames<'p>(joined: &JoinedTree<'p>, width: f64) -> Vec<Frame<'p>> {
    let paths = &joined.0;
    let mut frames = Vec::new();
    let whole = paths[0].weight;
    let wide = |weight: u128| weight as f64 * width / whole as f64;
    let mut to_place = vec![(0, 0.0, 0)];
    if whole == 0 {
        to_place.clear();
    }
    while let Some((place, mut left, depth)) = to_place.pop() {
        let path = &paths[place];
        let name = Name::Path(path.name);
        let width = wide(path.weight);
        frames.push(Frame { left, width, depth, name, total: path.total });
        let is_wide = |child: &usize| wide(paths[*child].weight) >= MIN_WIDTH;
        let count = path.children.partition_point(is_wide);
        // A single narrow frame takes no more space than the frame "1 others" would.
        let alone = path.children.len() - count == 1;
        let count = if alone { count + 1 } else { count };
        let (wide_children, others) = path.children.split_at(count);
        let first = to_place.len();
        for &child in wide_children.iter().filter(|child| paths[**child].weight > 0) {
            to_place.push((child, left, depth + 1));
            left += wide(paths[child].weight);
        }
        // The loop pops from the end of the list, so the leftmost child must come last.
        to_place[first..].reverse();
        let weight: u128 = others.iter().map(|other| paths[*other].weight).sum();
        if weight > 0 {
            let mut total = Sides::default();
            for &other in others {
                total.add(paths[other].total);
            }
            let name = Name::Others(others.len());
            frames.push(Frame { left, width: wide(weight), depth: depth + 1, name, total });
        }
    }
    frames
}
