//! A backend in host memory that reports another device.

use memprof::tree::Device;
use memprof_wrapper_benches::backend::{Backend, Binary, Product};
use memprof_wrapper_benches::element::Element;
use memprof_wrapper_benches::host::Host;
use std::convert::Infallible;

#[derive(Clone, Copy, Debug)]
pub(crate) struct FakeDevice(pub(crate) Device);

impl<T: Element> Backend<T> for FakeDevice {
    type Buffer = Vec<T>;
    type Error = Infallible;

    fn device(&self) -> Device {
        self.0
    }

    fn zeros(&self, elements: usize) -> Result<Vec<T>, Infallible> {
        Host.zeros(elements)
    }

    fn upload(&self, elements: &[T]) -> Result<Vec<T>, Infallible> {
        Host.upload(elements)
    }

    fn download(&self, buffer: &Vec<T>) -> Result<Vec<T>, Infallible> {
        Host.download(buffer)
    }

    fn combine(
        &self,
        operation: Binary,
        left: &Vec<T>,
        right: &Vec<T>,
    ) -> Result<Vec<T>, Infallible> {
        Host.combine(operation, left, right)
    }

    fn scale(&self, buffer: &Vec<T>, factor: f32) -> Result<Vec<T>, Infallible> {
        Host.scale(buffer, factor)
    }

    fn sum(&self, buffer: &Vec<T>, factor: f32) -> Result<Vec<T>, Infallible> {
        Host.sum(buffer, factor)
    }

    fn matmul(
        &self,
        left: &Vec<T>,
        right: &Vec<T>,
        product: Product,
    ) -> Result<Vec<T>, Infallible> {
        Host.matmul(left, right, product)
    }

    fn address(buffer: &Vec<T>) -> usize {
        <Host as Backend<T>>::address(buffer)
    }

    fn bytes(buffer: &Vec<T>) -> usize {
        <Host as Backend<T>>::bytes(buffer)
    }
}
