//! Folded stacks: `frame;frame;frame bytes`, a line per path.
