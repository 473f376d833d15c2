//! The memory of a tensor: its elements on their device, its unit and shape on the host.

use super::UnitTensor;
use crate::backend::Backend;
use crate::element::Element;
use memprof::MemoryProfile;
use memprof::tree::Device;
use memprof::walk::{Position, Storage, Tensor, Walk};
use std::rc::Rc;

/// The parts that own memory, as frames: `data`, `unit`, `shape`.
impl<T: Element, B: Backend<T>> MemoryProfile for UnitTensor<T, B> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let data = walk.entry(at, "data");
        let bytes = B::bytes(&self.data);
        let storage = Storage {
            address: B::address(&self.data),
            bytes,
            handles: Some(Rc::strong_count(&self.data)),
        };
        let device = self.backend.device();
        let tensor = Tensor::new(device, T::DTYPE, &self.shape, bytes).storage(storage);
        walk.tensor(data, &tensor.requires_grad(self.requires_grad()));
        let unit = walk.entry(at, "unit");
        self.unit.owned(walk, unit);
        let shape = walk.entry(at, "shape");
        self.shape.owned(walk, shape);
        // Two counts and the `B::Buffer`, in an allocation that all clones share.
        let counts = size_of::<B::Buffer>() + 2 * size_of::<usize>();
        let address = Rc::as_ptr(&self.data).addr();
        walk.shared(
            data,
            address,
            || Rc::strong_count(&self.data),
            |walk, at| {
                walk.bytes_on(at, Device::Cpu, counts);
            },
        );
    }
}
