//! Tensors of candle on the CPU, with gradients by the tape of this crate and by candle itself.

use crate::backend::{Backend, Binary, Product};
use crate::bench::Bench;
use crate::element::{Element, random};
use crate::measure::{Extent, MeasureError, Measured};
use crate::report::Report;
use crate::tensor::UnitTensor;
use crate::unit::Unit;
use candle_core::{Device as Place, Error, Storage, Tensor, Var, WithDType};
use half::{bf16, f16};
use memprof::tree::Device;

/// The backend of candle's CPU.
#[derive(Clone, Copy, Debug, Default)]
pub struct Candle;

impl<T: Element + WithDType> Backend<T> for Candle {
    type Buffer = Tensor;
    type Error = Error;

    fn device(&self) -> Device {
        Device::Cpu
    }

    fn zeros(&self, elements: usize) -> Result<Tensor, Error> {
        Tensor::zeros(elements, <T as WithDType>::DTYPE, &Place::Cpu)
    }

    fn upload(&self, elements: &[T]) -> Result<Tensor, Error> {
        Tensor::from_slice(elements, elements.len(), &Place::Cpu)
    }

    fn download(&self, buffer: &Tensor) -> Result<Vec<T>, Error> {
        buffer.flatten_all()?.to_vec1()
    }

    fn combine(&self, operation: Binary, left: &Tensor, right: &Tensor) -> Result<Tensor, Error> {
        match operation {
            Binary::Add => left + right,
            Binary::Mul => left * right,
            Binary::Div => left / right,
        }
    }

    fn scale(&self, buffer: &Tensor, factor: f32) -> Result<Tensor, Error> {
        buffer.affine(factor.into(), 0.0)
    }

    fn sum(&self, buffer: &Tensor, factor: f32) -> Result<Tensor, Error> {
        buffer.sum_all()?.affine(factor.into(), 0.0)
    }

    fn matmul(&self, left: &Tensor, right: &Tensor, product: Product) -> Result<Tensor, Error> {
        let Product { rows, inner, columns, transposes_left, transposes_right } = product;
        let left = matrix(left, rows, inner, transposes_left)?;
        left.matmul(&matrix(right, inner, columns, transposes_right)?)?.flatten_all()
    }

    fn address(buffer: &Tensor) -> usize {
        let (storage, _) = buffer.storage_and_layout();
        let elements = match &*storage {
            Storage::Cpu(elements) => T::cpu_storage_as_slice(elements).ok(),
            _ => None,
        };
        // If the elements are on another device, the address of the `Storage` value identifies the
        // storage.
        let record = core::ptr::from_ref(&*storage).addr();
        elements.map_or(record, |elements| elements.as_ptr().addr())
    }

    fn bytes(buffer: &Tensor) -> usize {
        buffer.elem_count() * buffer.dtype().size_in_bytes()
    }
}

fn matrix(of: &Tensor, rows: usize, columns: usize, is_turned: bool) -> Result<Tensor, Error> {
    if is_turned { of.reshape((columns, rows))?.t() } else { of.reshape((rows, columns)) }
}

/// Measures all operations on candle's tensors.
pub(crate) fn measure(
    extent: &Extent,
    bench: &mut Bench,
    report: &mut Report,
) -> Result<(), MeasureError> {
    let measured = &mut Measured { backend: Candle, bench, report, prefix: "candle ", only: &[] };
    of_type::<f32>(measured, extent)?;
    of_type::<f16>(measured, extent)?;
    of_type::<bf16>(measured, extent)
}

fn of_type<T: Element + WithDType>(
    measured: &mut Measured<'_, Candle>,
    extent: &Extent,
) -> Result<(), MeasureError> {
    measured.all::<T>(extent)?;
    for &side in &extent.sides {
        measured.autograd::<T>(side)?;
    }
    Ok(())
}

impl Measured<'_, Candle> {
    /// Measures a linear layer with gradients by candle, forward and backward.
    fn autograd<T: Element + WithDType>(&mut self, side: usize) -> Result<(), MeasureError> {
        let name = "linear by candle's autograd";
        let failed = |cause| MeasureError::Operation { operation: name.to_owned(), cause };
        let elements = side * side;
        let variable = |seed| {
            let tensor = Tensor::from_vec(random::<T>(elements, seed), elements, &Place::Cpu);
            tensor.and_then(|tensor| Var::from_tensor(&tensor))
        };
        let x = &variable(3).map_err(|error| failed(error.into()))?;
        let w = &variable(4).map_err(|error| failed(error.into()))?;
        let wrap = |variable: &Var, unit| {
            UnitTensor::<T, Candle>::wrap(
                &Candle,
                variable.as_tensor().clone(),
                &[side, side],
                unit,
            )
        };
        let (long, late) = (&wrap(x, Unit::METRE), &wrap(w, Unit::SECOND));
        let product = Product::new(side, side, side);
        let backward = |y: &Tensor| {
            let gradients = y.sum_all()?.backward()?;
            let by = |variable: &Var| {
                let gradient = gradients.get(variable).cloned();
                gradient.ok_or_else(|| Error::Msg("a gradient is missing".to_owned()))
            };
            Ok::<_, Error>((by(x)?, by(w)?))
        };
        crate::measure::row!(self, T, name, elements, pairs,
        raw: Backend::<T>::matmul(&Candle, x, w, product).and_then(|y| backward(&y)),
        wrapped: |recorder| long.matmul(late, recorder).and_then(|y| {
            let (by_x, by_w) =
                backward(y.data()).map_err(crate::tensor::TensorError::Backend)?;
            let unit = |tensor: &UnitTensor<T, Candle>| y.unit() / tensor.unit();
            let wrapped = |data, of| {
                UnitTensor::<T, Candle>::wrap(&Candle, data, &[side, side], unit(of))
            };
            Ok((wrapped(by_x, long), wrapped(by_w, late)))
        }));
        Ok(())
    }
}
