//! A function's result as a type that a variable can have.

use syn::visit_mut::{VisitMut, visit_type_mut};
use syn::{Type, parse_quote};

/// Returns the type with `_` in place of each `impl Trait`, or `None` for `!`, which no variable
/// can have.
pub(crate) fn as_variable_type(result: Option<&Type>) -> Option<Type> {
    let mut result = result.cloned().unwrap_or_else(|| parse_quote!(()));
    ReplaceImplTrait.visit_type_mut(&mut result);
    (!matches!(result, Type::Never(_))).then_some(result)
}

struct ReplaceImplTrait;

impl VisitMut for ReplaceImplTrait {
    fn visit_type_mut(&mut self, of: &mut Type) {
        if matches!(of, Type::ImplTrait(_)) {
            *of = parse_quote!(_);
        } else {
            visit_type_mut(self, of);
        }
    }
}
