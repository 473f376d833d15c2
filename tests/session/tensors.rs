//! Tensors of a root in a snapshot: by device, the ten largest, with the operation of each.

use crate::alone;
use crate::folder::Folder;
use crate::program::{end, seldom};
use memprof::heap::{Level, Rate, framework, set_rate};
use memprof::tree::Device;
use memprof::walk::{Position, Storage, Tensor, Walk};
use memprof::{MemoryProfile, operation};
use std::sync::Arc;
use std::time::Duration;

/// Numbers whose impl reports a tensor.
struct Weights {
    numbers: Vec<f32>,
    device: Device,
}

impl MemoryProfile for Weights {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let (address, bytes) = (self.numbers.as_ptr().addr(), size_of_val(&*self.numbers));
        let shape = [self.numbers.len() / 2, 2];
        let storage = Storage { address, bytes, handles: Some(1) };
        let tensor = Tensor::new(self.device, "f32", &shape, bytes).requires_grad(true);
        walk.tensor(at, &tensor.storage(storage));
    }
}

fn weights(pairs: usize, device: Device) -> Weights {
    Weights { numbers: vec![0.0; 2 * pairs], device }
}

#[test]
fn the_ten_largest_tensors_are_listed_by_device_with_the_operation_that_made_them() {
    let _alone = alone();
    let folder = Folder::new();
    set_rate(Rate::EACH_BLOCK);
    let session = seldom(folder.path()).level(Level::Sampled).start();
    let session = session.expect("the folder can be written");
    let mut all: Vec<Weights> = (1..=20).map(|pairs| weights(pairs, Device::Cpu)).collect();
    {
        let _operation = operation!("make_largest");
        all.push(weights(1000, Device::Cpu));
    }
    all.push(weights(500, Device::Cuda(1)));
    session.root("net", Arc::new(all));
    let snapshot = session.snapshot().expect("it records");
    assert_eq!(snapshot.tensor_count, 22);
    let devices: Vec<&str> = snapshot.devices.iter().map(|one| one.device.as_str()).collect();
    assert_eq!(devices, ["cpu", "cuda:1"]);
    let [host, card] = &snapshot.devices[..] else { unreachable!() };
    assert_eq!((host.tensors.len(), card.tensors.len()), (9, 1));
    let largest = &host.tensors[0];
    assert_eq!((largest.shape.as_slice(), largest.bytes), ([1000, 2].as_slice(), 8000));
    assert_eq!((largest.dtype.as_str(), largest.requires_grad), ("f32", Some(true)));
    assert_eq!(largest.operation, Some(vec!["make_largest".to_owned()]));
    assert_eq!(host.tensors[1].operation, Some(Vec::new()), "outside of all operations");
    assert_eq!(card.tensors[0].operation, None, "nobody samples the device's memory");
    assert_eq!(card.bytes, 4000);
    end(session);
    let kept = folder.recording().snapshots.pop().expect("it was written");
    assert_eq!(kept.devices, snapshot.devices);
    set_rate(Rate::default());
}

#[test]
fn reports_of_a_framework_are_in_the_files() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    framework::reset();
    let call = framework::FrameworkCall::new("aten::mm").shapes(&[&[2, 3], &[3, 4]]);
    framework::record(call.cpu_time(Duration::from_nanos(70)).device_bytes(-12));
    {
        let _operation = operation!("make_tensor");
        framework::tensor_created(4096);
    }
    end(session);
    let recording = folder.recording();
    let [row] = &recording.summary.framework_operations[..] else { panic!("one operation") };
    assert_eq!((row.name.as_str(), row.calls), ("aten::mm", 1));
    assert_eq!(row.shapes, Some(vec![vec![2, 3], vec![3, 4]]));
    assert_eq!(row.cpu_ns.map(|known| known.total), Some(70));
    assert_eq!(row.device_bytes.map(|known| known.total), Some(-12));
    assert_eq!(row.device_ns, None, "unknown is not 0");
    let path = recording.operation_paths.iter().find(|path| path.names == ["make_tensor"]);
    let path = path.expect("it was entered").path;
    let event = recording.operation_events.iter().find(|event| event.path == path);
    let event = event.expect("it ended");
    assert_eq!(event.tensor_net_bytes, Some(4096));
}
