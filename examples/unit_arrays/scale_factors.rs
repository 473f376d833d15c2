//! A rule of the example: it reports units that differ from the coherent one by a factor.

use crate::array::Array;
use memprof::Profile;
use memprof::report::{Recommendation, Rule, Severity, Thresholds};

/// The rule. It reads the arrays themselves, because a profile holds no values.
pub(crate) struct ScaleFactors<'a>(pub(crate) &'a [(&'a str, &'a Array)]);

impl Rule for ScaleFactors<'_> {
    fn name(&self) -> &'static str {
        "scale factors"
    }

    fn check(&self, profile: &Profile, _: &Thresholds) -> Vec<Recommendation> {
        #[expect(clippy::float_cmp, reason = "base units are made with 1.0 itself")]
        let scaled = self.0.iter().filter(|(_, array)| array.unit().scale() != 1.0);
        scaled
            .map(|(name, array)| {
                let unit = array.unit();
                let evidence = format!("1 {} is {} base units", unit.symbol(), unit.scale());
                Recommendation::new(Severity::Info, evidence)
                    .at(format!("{};{name}", profile.root().name()))
                    .with_action("multiply the data once, and no sum needs the factor")
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::ScaleFactors;
    use crate::array::Array;
    use crate::unit::{LENGTH, Unit};
    use memprof::Profile;
    use memprof::report::Advisor;
    use std::sync::Arc;

    #[test]
    fn only_factors_other_than_one_are_printed() {
        let array =
            |symbol, scale| Array::new(vec![1.0; 5], &Arc::new(Unit::new(symbol, LENGTH, scale)));
        let (metres, miles) = (array("m", 1.0), array("mi", 1609.344));
        let arrays = [("height", &metres), ("way", &miles)];
        let advisor = Advisor::without_rules().rule(ScaleFactors(&arrays));
        let profile = Profile::of_all("walk", arrays.map(|(name, array)| (name, array as _)));
        let advice: Vec<String> =
            advisor.advise(&profile).iter().map(ToString::to_string).collect();
        assert_eq!(
            advice,
            ["scale factors at walk;way: 1 mi is 1609.344 base units; \
              multiply the data once, and no sum needs the factor"]
        );
    }
}
