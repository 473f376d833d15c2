//! The measurements of a weather station: uncertainties, and units with a factor.

use crate::array::Array;
use crate::scale_factors::ScaleFactors;
use crate::unit::{LENGTH, PRESSURE, SPEED, TEMPERATURE, Unit};
use memprof::Profile;
use memprof::report::Advisor;
use std::sync::Arc;

const MEASUREMENTS: usize = 1_000_000;

/// Returns a report with a line for each array, and with the example's own rule.
pub(crate) fn report() -> String {
    let unit = |symbol, dimension, scale| Arc::new(Unit::new(symbol, dimension, scale));
    let zeros = |unit: &Arc<Unit>| Array::new(vec![0.0; MEASUREMENTS], unit);
    let (speed, length) = (unit("m/s", SPEED, 1.0), unit("km", LENGTH, 1000.0));
    let wind = zeros(&speed).with_uncertainty(0.1);
    let gusts = zeros(&speed).with_uncertainty(0.2);
    let most = wind.add(&gusts).expect("both are speeds").scale(1.1);
    let sight = zeros(&length).with_uncertainty(0.5);
    let pressure = zeros(&unit("hPa", PRESSURE, 100.0)).with_uncertainty(0.3);
    let temperature = zeros(&unit("K", TEMPERATURE, 1.0)).with_uncertainty(0.2);
    drop((speed, length));

    let arrays = [
        ("wind", &wind),
        ("gusts", &gusts),
        ("most", &most),
        ("sight", &sight),
        ("pressure", &pressure),
        ("temperature", &temperature),
    ];
    let profile = Profile::of_all("station", arrays.map(|(name, array)| (name, array as _)));
    let advisor = Advisor::new().rule(ScaleFactors(&arrays));
    let report = profile.report_by(&advisor).detailed();
    format!("A million measurements each, with their uncertainties\n\n{report}")
}
