//! Functions that profile types of other crates, for `#[profile(with = …)]`.

/// Defines a function for `#[profile(with = …)]` that profiles a struct of another crate.
///
/// The macro call names every field. If the other crate adds a field, the build fails at the call,
/// so the profile never misses a field silently. All fields must be public, and their types must
/// implement [`MemoryProfile`](crate::MemoryProfile).
///
/// ```
/// # mod geo {
/// #     pub struct Track { pub name: String, pub points: Vec<(f64, f64)> }
/// #     pub struct Metres(pub Vec<f32>);
/// # }
/// memprof::walk::foreign! {
///     /// What a track owns.
///     pub fn profile_track(geo::Track { name, points });
///     // A tuple struct: its fields get names here.
///     fn profile_metres(geo::Metres { 0: values });
/// }
///
/// # struct Probe(geo::Track);
/// # impl memprof::MemoryProfile for Probe {
/// #     fn owned<'a>(&'a self, walk: &mut memprof::walk::Walk<'a>, at: memprof::walk::Position) {
/// #         profile_track(&self.0, walk, at);
/// #     }
/// # }
/// # let probe = Probe(geo::Track { name: "home".into(), points: vec![(0.0, 0.0); 3] });
/// # assert_eq!(memprof::total_bytes(&probe), 48 + 4 + 3 * 16);
/// # let _ = profile_metres;
/// // #[profile(with = profile_track)] track: geo::Track,
/// ```
///
/// The parameters of a generic type follow the function's name:
/// `fn profile_grid<T>(geo::Grid<T> { cells });`. The macro adds the bound `MemoryProfile` to each.
#[macro_export]
macro_rules! foreign {
    () => {};
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $function:ident $(<$($param:ident),+ $(,)?>)? ($($target:tt)+);
        $($rest:tt)*
    ) => {
        $crate::foreign! { @path
            [$(#[$attribute])* $visibility] $function [$($($param)+)?] [] [] $($target)+
        }
        $crate::foreign! { $($rest)* }
    };
    // These rules read the type token by token up to the final `{ … }`. They collect the path
    // before any `<`, and the whole type.
    (@path $head:tt $function:ident $params:tt [$($path:tt)+] [$($type:tt)+] $fields:tt) => {
        $crate::foreign! { @function
            $head $function $params [$($type)+] [$($path)+ $fields] $fields
        }
    };
    (@path $head:tt $function:ident $params:tt $path:tt [$($type:tt)+] < $($rest:tt)+) => {
        $crate::foreign! { @arguments $head $function $params $path [$($type)+ <] $($rest)+ }
    };
    (@path $head:tt $function:ident $params:tt [$($path:tt)*] [$($type:tt)*] $next:tt $($rest:tt)+
    ) => {
        $crate::foreign! { @path
            $head $function $params [$($path)* $next] [$($type)* $next] $($rest)+
        }
    };
    (@arguments $head:tt $function:ident $params:tt [$($path:tt)+] [$($type:tt)+] $fields:tt) => {
        $crate::foreign! { @function
            $head $function $params [$($type)+] [$($path)+ $fields] $fields
        }
    };
    (@arguments $head:tt $function:ident $params:tt $path:tt [$($type:tt)+] $next:tt $($rest:tt)+
    ) => {
        $crate::foreign! { @arguments $head $function $params $path [$($type)+ $next] $($rest)+ }
    };
    // The pattern is passed on as the user wrote it, so the compiler reports a missing field there.
    (@function $head:tt $function:ident $params:tt $type:tt $pattern:tt
        { $($index:tt: $field:ident),+ $(,)? }
    ) => {
        $crate::foreign! { @written $head $function $params $type $pattern $($field)+ }
    };
    (@function $head:tt $function:ident $params:tt $type:tt $pattern:tt
        { $($field:ident),+ $(,)? }
    ) => {
        $crate::foreign! { @written $head $function $params $type $pattern $($field)+ }
    };
    (@written [$($head:tt)*] $function:ident [$($param:ident)*] [$($type:tt)+] [$($pattern:tt)+]
        $($field:ident)+
    ) => {
        $($head)* fn $function<'walked, $($param: $crate::MemoryProfile),*>(
            value: &'walked $($type)+,
            walk: &mut $crate::walk::Walk<'walked>,
            at: $crate::walk::Position,
        ) {
            let fields = walk.fields(at, const {
                &$crate::walk::Shape::lump::<$($type)+>(const { &[$(
                    $crate::walk::Field::frame($crate::__private::unraw(::core::stringify!($field)))
                ),+] })
            });
            let $($pattern)+ = value;
            let mut index = 0;
            $(
                $crate::MemoryProfile::owned($field, walk, fields.at(index));
                index += 1;
            )+
            let _ = index;
        }
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "`foreign!` writes functions: `pub fn name(path::Type { field, other_field });`"
        );
    };
}
