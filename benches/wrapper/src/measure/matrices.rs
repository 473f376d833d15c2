//! Products of matrices, and a linear layer forward and backward.

use super::{MeasureError, Measured};
use crate::backend::{Backend, Product};
use crate::element::{Element, random};
use crate::phases::Unrecorded;
use crate::tensor::{Tape, UnitTensor};
use crate::unit::Unit;

impl<B> Measured<'_, B> {
    /// Measures square matrices with `side` rows. The layer is `y = x · W`; its backward pass
    /// computes both gradients.
    ///
    /// # Errors
    /// Returns an error if an operation fails, or has another result through the wrapper.
    pub fn matrices<T: Element>(&mut self, side: usize) -> Result<(), MeasureError>
    where
        B: Backend<T>,
    {
        let backend = &self.backend.clone();
        let elements = side * side;
        let tensor = |seed, unit| {
            let values = random::<T>(elements, seed);
            UnitTensor::upload(backend, &values, &[side, side], unit, &mut Unrecorded)
                .map_err(|cause| super::failed("upload", cause))
        };
        let x = &tensor(3, Unit::METRE)?;
        let w = &tensor(4, Unit::SECOND)?;
        let dy = &tensor(5, Unit::ONE)?;
        let product = Product::new(side, side, side);

        row!(self, T, "matmul", elements, tensors,
            raw: backend.matmul(x.data(), w.data(), product),
            wrapped: |recorder| x.matmul(w, recorder));
        row!(self, T, "linear forward, tracked", elements, tensors,
        raw: backend.matmul(x.data(), w.data(), product),
        wrapped: |recorder| {
            let tape = Tape::new();
            tape.watch(x).matmul(&tape.watch(w), recorder)
        });
        row!(self, T, "linear forward, backward", elements, pairs,
        raw: backend.matmul(x.data(), w.data(), product).and_then(|_y| {
            let by_x = backend.matmul(dy.data(), w.data(), product.by_left())?;
            Ok((by_x, backend.matmul(x.data(), dy.data(), product.by_right())?))
        }),
        wrapped: |recorder| {
            let tape = Tape::new();
            let (x, w) = (tape.watch(x), tape.watch(w));
            x.matmul(&w, recorder).and_then(|y| {
                let gradients = tape.backward(&y, dy, recorder)?;
                let by = |tensor| gradients.by(tensor).cloned();
                by(&x).zip(by(&w)).ok_or(crate::tensor::TensorError::Tapes)
            })
        });
        Ok(())
    }
}
