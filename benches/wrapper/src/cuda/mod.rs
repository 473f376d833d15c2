//! A GPU through `cudarc`: the raw calls with which the wrapper is compared.

#![expect(unsafe_code, reason = "kernels and cuBLAS trust the lengths that they are given")]

mod clock;
mod device;
mod error;

use crate::backend::{Backend, Binary, Product};
use crate::element::Element;
use cudarc::cublas::sys::cublasOperation_t::{CUBLAS_OP_N, CUBLAS_OP_T};
use cudarc::cublas::{CudaBlas, Gemm, GemmConfig};
use cudarc::driver::{
    CudaFunction, CudaSlice, DevicePtr, DeviceRepr, LaunchConfig, PushKernelArg, ValidAsZeroBits,
};
use cudarc::nvrtc::Ptx;
use memprof::tree::Device;
use std::sync::Arc;

pub use clock::Clock;
pub use device::CudaDevice;
pub use error::CudaError;

/// The kernels of all types, compiled from `kernels.cu`.
const KERNELS: &str = include_str!("kernels.ptx");

/// The number of threads in a block, and the maximum number of blocks in the first step of a sum.
const THREADS: u32 = 256;

/// A type that kernels and cuBLAS support.
pub trait CudaElement: Element + DeviceRepr + ValidAsZeroBits {}

impl<T: Element + DeviceRepr + ValidAsZeroBits> CudaElement for T {}

/// A device with the kernels of one type.
#[derive(Clone, Debug)]
pub struct Cuda {
    device: CudaDevice,
    kernels: Arc<Kernels>,
}

#[derive(Debug)]
struct Kernels {
    add: CudaFunction,
    mul: CudaFunction,
    div: CudaFunction,
    scale: CudaFunction,
    sum: CudaFunction,
    finish: CudaFunction,
}

impl Cuda {
    /// Loads the kernels of a type, which the driver compiles.
    ///
    /// # Errors
    /// Returns an error if the driver rejects the kernels.
    pub fn new<T: CudaElement>(device: &CudaDevice) -> Result<Self, CudaError> {
        let module = device.stream.context().load_module(Ptx::from_src(KERNELS))?;
        let load = |name: &str| module.load_function(&format!("{name}_{}", T::DTYPE));
        let kernels = Kernels {
            add: load("add")?,
            mul: load("mul")?,
            div: load("div")?,
            scale: load("scale")?,
            sum: load("sum")?,
            finish: load("finish")?,
        };
        Ok(Self { device: device.clone(), kernels: Arc::new(kernels) })
    }

    /// Returns memory with uninitialised elements.
    fn unset<T: CudaElement>(&self, elements: usize) -> Result<CudaSlice<T>, CudaError> {
        // SAFETY: each caller writes all of the memory before anything reads it.
        Ok(unsafe { self.device.stream.alloc(elements) }?)
    }
}

/// Returns a configuration with one thread for each element.
fn threads(count: u32) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (count.div_ceil(THREADS).max(1), 1, 1),
        block_dim: (THREADS, 1, 1),
        shared_mem_bytes: 0,
    }
}

/// Checks the number of elements: kernels count with 32 bits, and cuBLAS with 31.
fn counted(elements: usize) -> Result<i32, CudaError> {
    i32::try_from(elements).map_err(|_| CudaError::TooMany(elements))
}

impl<T: CudaElement> Backend<T> for Cuda
where
    CudaBlas: Gemm<T>,
{
    type Buffer = CudaSlice<T>;
    type Error = CudaError;

    fn device(&self) -> Device {
        Device::Cuda(self.device.number)
    }

    fn zeros(&self, elements: usize) -> Result<CudaSlice<T>, CudaError> {
        Ok(self.device.stream.alloc_zeros(elements)?)
    }

    fn upload(&self, elements: &[T]) -> Result<CudaSlice<T>, CudaError> {
        Ok(self.device.stream.clone_htod(elements)?)
    }

    fn download(&self, buffer: &CudaSlice<T>) -> Result<Vec<T>, CudaError> {
        Ok(self.device.stream.clone_dtoh(buffer)?)
    }

    fn combine(
        &self,
        operation: Binary,
        left: &CudaSlice<T>,
        right: &CudaSlice<T>,
    ) -> Result<CudaSlice<T>, CudaError> {
        let count = counted(left.len().min(right.len()))?.unsigned_abs();
        let mut result = self.unset(count as usize)?;
        let kernel = match operation {
            Binary::Add => &self.kernels.add,
            Binary::Mul => &self.kernels.mul,
            Binary::Div => &self.kernels.div,
        };
        let mut launch = self.device.stream.launch_builder(kernel);
        launch.arg(left).arg(right).arg(&mut result).arg(&count);
        // SAFETY: the kernel reads and writes `count` elements, and all three buffers have at least
        // as many.
        unsafe { launch.launch(threads(count)) }?;
        Ok(result)
    }

    fn scale(&self, buffer: &CudaSlice<T>, factor: f32) -> Result<CudaSlice<T>, CudaError> {
        let count = counted(buffer.len())?.unsigned_abs();
        let mut result = self.unset(count as usize)?;
        let mut launch = self.device.stream.launch_builder(&self.kernels.scale);
        launch.arg(buffer).arg(&mut result).arg(&factor).arg(&count);
        // SAFETY: the kernel reads and writes `count` elements, and both buffers have as many.
        unsafe { launch.launch(threads(count)) }?;
        Ok(result)
    }

    fn sum(&self, buffer: &CudaSlice<T>, factor: f32) -> Result<CudaSlice<T>, CudaError> {
        let count = counted(buffer.len())?.unsigned_abs();
        // The second step runs in one block, which has a thread for each sum.
        let blocks = count.div_ceil(THREADS).clamp(1, THREADS);
        let mut sums: CudaSlice<f32> = self.unset(blocks as usize)?;
        let mut launch = self.device.stream.launch_builder(&self.kernels.sum);
        launch.arg(buffer).arg(&mut sums).arg(&count);
        // SAFETY: the kernel reads `count` elements, and writes one sum for each block.
        unsafe { launch.launch(threads(blocks * THREADS)) }?;
        let mut result = self.unset(1)?;
        let mut launch = self.device.stream.launch_builder(&self.kernels.finish);
        launch.arg(&sums).arg(&mut result).arg(&factor).arg(&blocks);
        // SAFETY: the kernel reads exactly the existing sums, and writes one element.
        unsafe { launch.launch(threads(THREADS)) }?;
        Ok(result)
    }

    fn matmul(
        &self,
        left: &CudaSlice<T>,
        right: &CudaSlice<T>,
        product: Product,
    ) -> Result<CudaSlice<T>, CudaError> {
        let Product { rows, inner, columns, transposes_left, transposes_right } = product;
        let blas = self.device.blas.as_ref().map_err(|reason| CudaError::NoBlas(reason.clone()))?;
        if left.len() != rows * inner || right.len() != inner * columns {
            return Err(CudaError::Lengths { left: left.len(), right: right.len(), product });
        }
        let mut result = self.unset(rows * columns)?;
        // cuBLAS stores matrices by columns, so it reads all three as transposed. Therefore the
        // right matrix is passed as its left operand.
        let (m, n, k) = (counted(columns)?, counted(rows)?, counted(inner)?);
        let config = GemmConfig {
            transa: if transposes_right { CUBLAS_OP_T } else { CUBLAS_OP_N },
            transb: if transposes_left { CUBLAS_OP_T } else { CUBLAS_OP_N },
            m,
            n,
            k,
            alpha: T::from_f32(1.0),
            lda: if transposes_right { k } else { m },
            ldb: if transposes_left { n } else { k },
            beta: T::from_f32(0.0),
            ldc: m,
        };
        // SAFETY: the matrices have the lengths in the configuration: both operands were checked,
        // and the result was allocated with its length.
        unsafe { blas.gemm(config, right, left, &mut result) }?;
        Ok(result)
    }

    fn address(buffer: &CudaSlice<T>) -> usize {
        let (address, _waits) = buffer.device_ptr(buffer.stream());
        address as usize
    }

    fn bytes(buffer: &CudaSlice<T>) -> usize {
        buffer.num_bytes()
    }
}
