//! A hundred thousand small arrays: once with a few shared units, once with a unit each.

use crate::array::Array;
use crate::unit::{LENGTH, PRESSURE, SPEED, TEMPERATURE, Unit};
use memprof::Profile;
use std::sync::Arc;

const ARRAYS: usize = 100_000;

/// Returns a report on the arrays with shared units, and a report on the arrays with a unit each.
pub(crate) fn report() -> String {
    let units = [
        Unit::new("m", LENGTH, 1.0),
        Unit::new("m/s", SPEED, 1.0),
        Unit::new("Pa", PRESSURE, 1.0),
        Unit::new("K", TEMPERATURE, 1.0),
    ]
    .map(Arc::new);
    let shared = Profile::named("shared", &arrays(|index| Arc::clone(&units[index % 4])));
    let own = |index: usize| Arc::new(Unit::clone(&units[index % 4]));
    let each = Profile::named("separate", &arrays(own));
    format!(
        "100,000 arrays of one or two numbers, in four units\n\n{}\n\n{}\n\n{}",
        shared.report(),
        each.report(),
        each.against(&shared),
    )
}

fn arrays(unit: impl Fn(usize) -> Arc<Unit>) -> Vec<Array> {
    (0..ARRAYS).map(|index| Array::new(vec![0.0; 1 + index % 2], &unit(index))).collect()
}
