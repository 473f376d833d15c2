//! Tests of the driver's errors, and of functions that an old driver lacks.

use crate::{initialised, loaded};
use memprof_gpu::cuda::{Cuda, CudaError, CudaStream, DeviceContext, EventTimer};

#[test]
fn before_initialisation_each_call_is_an_error() {
    let (fake, cuda) = loaded(&[]);
    let results = [
        cuda.device_count().err(),
        cuda.device(0).err(),
        cuda.is_context_active(0).err(),
        cuda.memory_info().err(),
        cuda.pool_statistics(0).err(),
        cuda.reset_peaks(0).err(),
        DeviceContext::retain(&cuda, 0).err(),
    ];
    for error in results {
        assert!(matches!(error, Some(CudaError::NotInitialised)), "{error:?}");
    }
    assert_eq!(fake.get("contexts created"), 0);
}

#[test]
fn an_error_of_the_driver_has_its_call_number_and_name() {
    let (fake, cuda) = initialised();
    for (code, expected) in [
        (719, "`cuDeviceTotalMem_v2` of the CUDA driver failed: CUDA_ERROR_LAUNCH_FAILED (719)"),
        (12345, "`cuDeviceTotalMem_v2` of the CUDA driver failed: error 12345"),
        (801, "the device or its driver does not support `cuDeviceTotalMem_v2`"),
    ] {
        fake.set("fail cuDeviceTotalMem_v2", code);
        assert_eq!(cuda.device(0).unwrap_err().to_string(), expected);
    }
}

#[test]
fn an_error_without_a_function_that_names_it_has_its_number() {
    let (fake, cuda) = loaded(&["cuGetErrorName"]);
    fake.set("fail cuInit", 719);
    let error = cuda.initialise().unwrap_err();
    assert!(
        matches!(error, CudaError::Driver { call: "cuInit", code: 719, name: None }),
        "{error:?}"
    );
}

#[test]
fn the_error_for_a_missing_device_has_its_number() {
    let (_fake, cuda) = initialised();
    for ordinal in [2, u16::MAX] {
        let error = cuda.pool_statistics(ordinal).unwrap_err();
        assert!(
            matches!(error, CudaError::NoSuchDevice { ordinal: o } if o == ordinal),
            "{error:?}"
        );
    }
}

/// A driver function, and a call that needs this function.
type Use = (&'static str, fn(&Cuda) -> Result<(), CudaError>);

#[test]
fn a_missing_driver_function_fails_only_the_calls_that_need_it() {
    let cases: [Use; 5] = [
        ("cuDeviceGetMemPool", |cuda| cuda.pool_statistics(0).map(drop)),
        ("cuMemPoolSetAttribute", |cuda| cuda.reset_peaks(0)),
        ("cuDevicePrimaryCtxGetState", |cuda| cuda.is_context_active(0).map(drop)),
        ("cuDevicePrimaryCtxRelease_v2", |cuda| DeviceContext::retain(cuda, 0).map(drop)),
        ("cuEventCreate", |cuda| {
            let context = DeviceContext::retain(cuda, 0)?;
            EventTimer::in_context(&context, CudaStream::DEFAULT)?.record().map(drop)
        }),
    ];
    for (name, needs) in cases {
        let (fake, cuda) = loaded(&[name]);
        cuda.initialise().unwrap();
        assert_eq!(cuda.device(0).unwrap().name, "Fake H100");
        let error = needs(&cuda).unwrap_err();
        assert!(matches!(error, CudaError::MissingSymbol(symbol) if symbol == name), "{error:?}");
        assert!(error.to_string().contains(name));
        assert_eq!(fake.get("contexts retained"), 0, "{name}");
    }
}

#[test]
fn without_a_free_function_nothing_is_allocated() {
    let (fake, cuda) = loaded(&["cuMemFree_v2", "cuMemFreeAsync", "cuMemFreeHost"]);
    cuda.initialise().unwrap();
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    context.allocate(1).unwrap_err();
    context.allocate_async(1, CudaStream::DEFAULT).unwrap_err();
    context.allocate_pinned(1).unwrap_err();
    assert_eq!([fake.get("allocations"), fake.get("pinned")], [0, 0]);
}

#[test]
fn errors_and_handles_go_between_threads() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Cuda>();
    is_send_and_sync::<CudaError>();
    is_send_and_sync::<DeviceContext>();
    is_send_and_sync::<EventTimer>();
}
