//! Arrays of frameworks, on several devices.

use super::identity;
use crate::MemoryProfile;
use crate::tensor::{Storage, Tensor};
use crate::tree::{Branch, Collected, Device};
use crate::walk::{Position, Walk};

/// A part of a storage.
struct View {
    storage: Storage,
    device: Device,
    elements: usize,
}

impl MemoryProfile for View {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let shape = [self.elements];
        let tensor = Tensor::new(self.device, "f32", &shape, self.elements * 4);
        walk.tensor(at, &tensor.storage(self.storage));
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.owned(walk, at);
    }
}

fn view(device: Device, address: usize, elements: usize) -> View {
    View { storage: Storage { address, bytes: 4096, handles: Some(2) }, device, elements }
}

fn profile(views: &[View]) -> Collected {
    let named = views.iter().enumerate();
    let named = named.map(|(index, view)| (format!("{index:03}"), view as _));
    Collected::of_all("views", named)
}

#[test]
fn views_of_one_storage_are_tensors_that_count_it_once() {
    let profile = profile(&[view(Device::Cuda(0), 64, 1024), view(Device::Cuda(0), 64, 10)]);
    assert_eq!(profile.tree.root().devices(), [(Device::Cuda(0), 4096)]);
    assert_eq!(profile.tensors.count(), 2);
    let bytes: Vec<u64> = profile.tensors.largest().iter().map(|view| view.bytes).collect();
    assert_eq!(bytes, [4096, 40]);
    assert_eq!((profile.shared.allocations, profile.shared.handles), (1, 2));
    assert!(profile.tree.root().is_exact());
}

#[test]
fn one_address_on_two_devices_is_two_storages() {
    let devices = [Device::Cpu, Device::Cuda(0), Device::Cuda(1), Device::Metal(0)];
    let profile = profile(&devices.map(|device| view(device, 64, 1)));
    assert_eq!(profile.tree.root().devices(), devices.map(|device| (device, 4096)));
    assert_eq!(profile.tree.total_bytes(), 4 * 4096);
    let numbers = 0..=u16::MAX;
    let numbers = numbers.flat_map(|n| [Device::Cuda(n), Device::Metal(n), Device::Nvml(n)]);
    let mut identities: Vec<usize> = numbers.map(|device| identity(64, device)).collect();
    identities.push(identity(64, Device::Cpu));
    identities.sort_unstable();
    assert!(identities.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn estimates_are_marked_at_the_leaf_of_their_bytes() {
    struct Guess(Device, Option<Storage>);

    impl MemoryProfile for Guess {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            let guess = Tensor::new(self.0, "f32", &[25], 100).estimated();
            walk.tensor(at, &self.1.map_or(guess, |storage| guess.storage(storage)));
        }

        fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            self.owned(walk, at);
        }
    }

    for device in [Device::Cpu, Device::Cuda(0)] {
        for (storage, bytes) in [(None, 100), (Some(view(device, 64, 25).storage), 4096)] {
            let profile = Collected::of("value", &Guess(device, storage));
            assert!(!profile.tree.root().is_exact());
            let leaves = profile.tree.root().subtree().flat_map(Branch::leaves);
            let guesses = leaves.filter(|leaf| leaf.estimated_bytes() > 0);
            let guesses: Vec<_> =
                guesses.map(|leaf| (leaf.device(), leaf.bytes(), leaf.estimated_bytes())).collect();
            assert_eq!(guesses, [(device, bytes, bytes)]);
        }
    }
}

#[test]
fn only_the_largest_tensors_are_kept_but_all_are_counted() {
    let views: Vec<View> =
        (0..200).map(|index| view(Device::Cpu, 64 * (index + 1), index % 100)).collect();
    let profile = profile(&views);
    let tensors = profile.tensors;
    assert_eq!((tensors.count(), tensors.largest().len()), (200, 64));
    let first: Vec<&str> = tensors.largest()[..4].iter().map(|tensor| &*tensor.path).collect();
    assert_eq!(first, ["views;099", "views;199", "views;098", "views;198"]);
}
