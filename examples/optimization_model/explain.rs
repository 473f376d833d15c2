//! Explains in sentences what dominates a model's memory. Every figure comes from the profile.

use memprof::Profile;
use memprof::tree::{Branch, LeafKind, Role};
use memprof::views::{Amount, Units};

/// Describes the model's profile and the profile after `shrink_to_fit`.
pub(crate) fn sentences(profile: &Profile, shrunk: &Profile) -> Vec<String> {
    vec![
        largest_branch(profile),
        names_against_numbers(profile),
        copies_of_the_matrix(profile),
        spare_room(profile, shrunk),
        padding(profile),
        trust(profile),
    ]
}

/// Follows the tree down while one branch holds more than half of the bytes.
fn largest_branch(profile: &Profile) -> String {
    let root = profile.root();
    let Some(largest) = largest_child(root) else {
        return format!("All {} are in one place.", amount(root.total_bytes()));
    };
    let (mut inner, mut path) = (largest, largest.name().to_owned());
    while let Some(child) = largest_child(inner)
        && child.total_bytes() * 2 > inner.total_bytes()
    {
        path = format!("{path}.{}", child.name());
        inner = child;
    }
    let most = match inner.total_bytes() {
        bytes if bytes < largest.total_bytes() => {
            format!(", of which `{path}` holds {}", amount(bytes))
        }
        _ => String::new(),
    };
    format!(
        "The largest branch is `{}`: {}, {} of the total{most}.",
        largest.name(),
        amount(largest.total_bytes()),
        share(largest.total_bytes(), root.total_bytes()),
    )
}

/// Compares the metadata with the numbers. Names and the tables that find things by name are
/// metadata, and all other bytes are numbers.
fn names_against_numbers(profile: &Profile) -> String {
    let names = bytes_of_role(profile, Role::Metadata);
    let numbers = profile.total_bytes() - names;
    format!(
        "Names and the lookups by name cost {}: {} bytes for every 100 bytes of numbers.",
        amount(names),
        names * 100 / numbers,
    )
}

fn copies_of_the_matrix(profile: &Profile) -> String {
    let terms = bytes_at(profile, &["constraints", "polynomial", "linear"]);
    let rows = bytes_at(profile, &["rows"]);
    let columns = bytes_at(profile, &["columns"]);
    let leanest = terms.min(rows).min(columns);
    format!(
        "The matrix is held three times: {} as terms, {} by rows and {} by columns; \
         keeping only the smallest would save {}.",
        amount(terms),
        amount(rows),
        amount(columns),
        amount(terms + rows + columns - leanest),
    )
}

fn spare_room(profile: &Profile, shrunk: &Profile) -> String {
    let spare = bytes_of_kind(profile, LeafKind::Spare);
    if spare == 0 {
        return "No capacity is spare.".to_owned();
    }
    let freed = profile.total_bytes() - shrunk.total_bytes();
    format!(
        "Unused capacity takes {}, {} of the total; `shrink_to_fit` frees {}.",
        amount(spare),
        share(spare, profile.total_bytes()),
        amount(freed),
    )
}

fn padding(profile: &Profile) -> String {
    let padding = bytes_of_kind(profile, LeafKind::Padding);
    format!("Alignment costs {}: bytes between the fields of structs.", amount(padding))
}

fn trust(profile: &Profile) -> String {
    let total = Units::Bytes.show(profile.total_bytes());
    if profile.is_exact() {
        format!("Every byte is accounted for: the total of {total} is exact.")
    } else {
        format!("Some memory could not be seen: the total of {total} is not exact.")
    }
}

fn largest_child(branch: Branch<'_>) -> Option<Branch<'_>> {
    branch.children().max_by_key(|child| child.total_bytes())
}

fn bytes_at(profile: &Profile, path: &[&str]) -> u64 {
    let mut branch = profile.root();
    for name in path {
        match branch.child(name) {
            Some(child) => branch = child,
            None => return 0,
        }
    }
    branch.total_bytes()
}

fn bytes_of_role(profile: &Profile, role: Role) -> u64 {
    let leaves = profile.leaves().filter(|(_, leaf)| leaf.role() == role);
    leaves.map(|(_, leaf)| leaf.bytes()).sum()
}

fn bytes_of_kind(profile: &Profile, kind: LeafKind) -> u64 {
    let leaves = profile.leaves().filter(|(_, leaf)| leaf.kind() == kind);
    leaves.map(|(_, leaf)| leaf.bytes()).sum()
}

fn amount(bytes: u64) -> Amount {
    Units::Iec.show(bytes)
}

fn share(part: u64, whole: u64) -> String {
    format!("{} %", (part * 100 + whole / 2) / whole)
}

// The sizes in the sentences assume 64-bit pointers.
#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;
    use crate::model::{Constraint, Model, Polynomial, Relation, Term, Variable, VariableKind};
    use std::cell::RefCell;

    /// Returns a model with one constraint over all variables. Each variable's name has `name`
    /// bytes.
    fn model(variables: u32, name: usize) -> Model {
        let mut model = Model::default();
        let mut linear = Vec::new();
        for variable in 0..variables {
            let name = "x".repeat(name);
            let kind = VariableKind::Continuous;
            model.variables.push(Variable { name, kind, lower: 0.0, upper: 1.0 });
            linear.push(Term { variable, coefficient: 2.0 });
            model.columns.push_column();
            model.columns.push(0, 2.0);
        }
        model.constraints.push(Constraint {
            name: String::new(),
            relation: Relation::Free,
            lower: 0.0,
            upper: 0.0,
            polynomial: Polynomial { linear, quadratic: Vec::new() },
        });
        model.rows = model.columns.to_rows(1);
        model.shrink_to_fit();
        model
    }

    fn profile(model: &Model) -> Profile {
        Profile::named("model", model)
    }

    #[test]
    fn the_largest_branch_is_followed_until_it_splits() {
        let cases = [
            (
                model(1000, 100),
                "The largest branch is `variables`: 144.6 KiB, 77 % of the total, \
                 of which `variables.name` holds 121.1 KiB.",
            ),
            (model(1000, 0), "The largest branch is `variables`: 46.9 KiB, 52 % of the total."),
        ];
        for (model, expected) in cases {
            assert_eq!(largest_branch(&profile(&model)), expected);
        }
    }

    #[test]
    fn names_are_compared_with_all_other_bytes() {
        assert_eq!(
            names_against_numbers(&profile(&model(1000, 100))),
            "Names and the lookups by name cost 121.2 KiB: \
             181 bytes for every 100 bytes of numbers.",
        );
    }

    #[test]
    fn each_copy_of_the_matrix_is_counted() {
        assert_eq!(
            copies_of_the_matrix(&profile(&model(1000, 1))),
            "The matrix is held three times: 15.6 KiB as terms, 11.8 KiB by rows and 15.7 KiB by \
             columns; keeping only the smallest would save 31.3 KiB.",
        );
    }

    #[test]
    fn spare_capacity_is_reported_with_the_bytes_that_shrinking_frees() {
        let tight = model(1000, 1);
        let mut loose = tight.clone();
        loose.variables.reserve_exact(100);
        assert_eq!(spare_room(&profile(&tight), &profile(&tight)), "No capacity is spare.");
        assert_eq!(
            spare_room(&profile(&loose), &profile(&tight)),
            "Unused capacity takes 4.7 KiB, 5 % of the total; \
             `shrink_to_fit` frees 4.7 KiB.",
        );
    }

    #[test]
    fn a_total_is_called_exact_only_if_everything_was_read() {
        let cell = RefCell::new(vec![0_u8; 100]);
        let seen = trust(&Profile::named("cell", &cell));
        assert_eq!(seen, "Every byte is accounted for: the total of 132 B is exact.");
        let _held = cell.borrow_mut();
        let unseen = trust(&Profile::named("cell", &cell));
        assert_eq!(unseen, "Some memory could not be seen: the total of 32 B is not exact.");
    }
}
