//! Operands on two devices, which the wrapper rejects.

use super::{MeasureError, Measured, boxed, failed};
use crate::backend::Backend;
use crate::element::{Element, random};
use crate::host::Host;
use crate::phases::Unrecorded;
use crate::tensor::{TensorError, UnitTensor};
use crate::unit::Unit;
use core::hint::black_box;

impl<B> Measured<'_, B> {
    /// Measures the cost to reject an operand of the host, compared with a direct comparison of the
    /// devices. A backend of the host rejects nothing, so it has no row.
    ///
    /// # Errors
    /// Returns an error if the operand is not rejected.
    pub fn devices<T: Element>(&mut self, elements: usize) -> Result<(), MeasureError>
    where
        B: Backend<T>,
    {
        let name = "operands on two devices, refused";
        let (device, host) = (self.backend.device(), Backend::<T>::device(&Host));
        if device == host || !self.is_wanted(name) {
            return Ok(());
        }
        let values = random::<T>(elements, 6);
        let upload = (&values, &[elements][..], Unit::METRE);
        let on_backend =
            UnitTensor::upload(&self.backend, upload.0, upload.1, upload.2, &mut Unrecorded);
        let on_backend = on_backend.map_err(|cause| failed(name, cause))?;
        let on_host = UnitTensor::upload(&Host, upload.0, upload.1, upload.2, &mut Unrecorded);
        let on_host = on_host.map_err(|cause| failed(name, cause))?;
        let raw = || Ok(black_box(device) == black_box(host));
        let wrapped = || match on_backend.check_device(black_box(&on_host)) {
            Err(TensorError::Devices { .. }) => Ok(()),
            Err(other) => Err(boxed(other)),
            Ok(()) => Err("they were not refused".into()),
        };
        self.compare::<T, _, _>(name.to_owned(), elements, None, raw, wrapped)
    }
}
