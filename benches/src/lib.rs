//! memprof beside its peers: the values, the hand-written exact sums and the peers.
