//! The operations on activations. Each consumes the tensor it is called on, so that nothing lives
//! longer than it is needed; `share` keeps a handle.

use super::activation::{Activation, Input};
use candle_core::{D, DType, Result, Tensor};

impl Activation {
    /// A matrix product with a weight of `[outputs, inputs]`.
    pub(super) fn linear(self, weight: &Tensor) -> Result<Self> {
        self.with("linear", weight, |x, weight| x.matmul(&weight.t()?))
    }

    pub(super) fn matmul(self, other: &Tensor) -> Result<Self> {
        self.with("matmul", other, Tensor::matmul)
    }

    pub(super) fn add<'a>(self, other: impl Into<Input<'a>>) -> Result<Self> {
        self.with("add", other, Tensor::broadcast_add)
    }

    pub(super) fn subtract<'a>(self, other: impl Into<Input<'a>>) -> Result<Self> {
        self.with("sub", other, Tensor::broadcast_sub)
    }

    pub(super) fn multiply<'a>(self, other: impl Into<Input<'a>>) -> Result<Self> {
        self.with("mul", other, Tensor::broadcast_mul)
    }

    pub(super) fn divide<'a>(self, other: impl Into<Input<'a>>) -> Result<Self> {
        self.with("div", other, Tensor::broadcast_div)
    }

    /// The columns of `other` after its own.
    pub(super) fn concatenate(self, other: &Self) -> Result<Self> {
        self.with("cat", other, |x, other| Tensor::cat(&[x, other], D::Minus1))
    }

    pub(super) fn affine(self, factor: f64, summand: f64) -> Result<Self> {
        self.alone("affine", |x| x.affine(factor, summand))
    }

    pub(super) fn square(self) -> Result<Self> {
        self.alone("sqr", Tensor::sqr)
    }

    pub(super) fn power(self, exponent: f64) -> Result<Self> {
        self.alone("powf", |x| x.powf(exponent))
    }

    pub(super) fn exponential(self) -> Result<Self> {
        self.alone("exp", Tensor::exp)
    }

    pub(super) fn silu(self) -> Result<Self> {
        self.alone("silu", Tensor::silu)
    }

    /// The sum of each row.
    pub(super) fn sum(self) -> Result<Self> {
        self.alone("sum", |x| x.sum_keepdim(D::Minus1))
    }

    /// The largest number of each row.
    pub(super) fn maximum(self) -> Result<Self> {
        self.alone("max", |x| x.max_keepdim(D::Minus1))
    }

    /// Where the largest number of each row is.
    pub(crate) fn argmax(self) -> Result<Self> {
        self.alone("argmax", |x| x.argmax(D::Minus1))
    }

    /// A copy in another type, or the same tensor if it has that type.
    pub(super) fn of_type(self, dtype: DType) -> Result<Self> {
        self.alone("to_dtype", |x| x.to_dtype(dtype))
    }

    /// A copy in the order of its rows, or the same tensor if it has that order.
    pub(super) fn contiguous(self) -> Result<Self> {
        self.alone("contiguous", Tensor::contiguous)
    }

    /// A view, as what it is called on is contiguous.
    pub(super) fn reshape(self, dims: &[usize]) -> Result<Self> {
        self.alone("reshape", |x| x.reshape(dims))
    }

    /// A view with its dimensions in another order.
    pub(super) fn permute(self, dims: &[usize]) -> Result<Self> {
        self.alone("permute", |x| x.permute(dims))
    }

    /// A view of a part of one dimension.
    pub(super) fn narrow(self, dim: usize, start: usize, len: usize) -> Result<Self> {
        self.alone("narrow", |x| x.narrow(dim, start, len))
    }

    /// Writes it into a part of a tensor that was there before.
    pub(super) fn write(self, into: &Tensor, dim: usize, start: usize) -> Result<()> {
        let inputs = [into.into(), (&self).into()];
        let work = || into.slice_set(self.tensor(), dim, start);
        self.of().run_in_place("slice_set", &inputs, work)
    }

    fn alone(self, operation: &str, work: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<Self> {
        let work = || work(self.tensor());
        self.of().run(self.stage(), operation, &[(&self).into()], work)
    }

    fn with<'a>(
        self,
        operation: &str,
        other: impl Into<Input<'a>>,
        work: impl FnOnce(&Tensor, &Tensor) -> Result<Tensor>,
    ) -> Result<Self> {
        let other = other.into();
        let work = || work(self.tensor(), other.tensor);
        self.of().run(self.stage(), operation, &[(&self).into(), other], work)
    }
}
