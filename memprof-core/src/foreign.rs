//! Functions that profile types of other crates, for `#[profile(with = …)]` and
//! `#[profile(each = …)]`.

/// Defines functions that profile types of other crates, for `#[profile(with = …)]` and
/// `#[profile(each = …)]`.
///
/// The macro call names every field. If the other crate adds a field, the build fails at the call,
/// so the profile never misses a field silently. All fields must be public.
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
///     fn profile_metres(geo::Metres(values));
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
/// # Fields of other types without an impl
/// The types of the fields must implement [`MemoryProfile`](crate::MemoryProfile). A field of
/// another type takes one of these attributes, as in the derive:
///
/// | attribute | effect |
/// |---|---|
/// | `#[profile(with = path)]` | calls a function for the field |
/// | `#[profile(each = path)]` | calls a function for each element of the field, as [`Each`](crate::walk::Each) does |
/// | `#[profile(skip)]` | does not visit the field, and marks it if its type can own memory |
///
/// ```
/// # mod geo {
/// #     pub struct Segment { pub points: Vec<(f64, f64)> }
/// #     pub struct Area { pub border: Segment, pub holes: Vec<Segment>, pub index: Index }
/// #     pub struct Index(Vec<u32>);
/// #     impl Index { pub fn new() -> Self { Self(vec![1]) } }
/// # }
/// memprof::walk::foreign! {
///     fn profile_segment(geo::Segment { points });
///     fn profile_area(geo::Area {
///         #[profile(with = profile_segment)]
///         border,
///         #[profile(each = profile_segment)]
///         holes,
///         #[profile(skip)]
///         index,
///     });
/// }
///
/// #[derive(memprof::MemoryProfile)]
/// struct Park {
///     #[profile(with = profile_area)]
///     area: geo::Area,
/// }
///
/// # let segment = || geo::Segment { points: vec![(0.0, 0.0); 10] };
/// let area = geo::Area { border: segment(), holes: vec![segment()], index: geo::Index::new() };
/// let profile = memprof::Profile::of(&Park { area });
/// assert_eq!(profile.bytes_at("area;border;points"), Some(160));
/// assert_eq!(profile.bytes_at("area;holes"), Some(24 + 160));
/// assert!(!profile.is_exact(), "the index was skipped");
/// ```
///
/// # Enums
/// Write `enum` before the type, and list the variants with their fields. As in the derive, each
/// variant has a frame, but the only field of a tuple variant has no frame of its own.
///
/// The arm `_` marks the value as [foreign](crate::tree::OpaqueReason::Foreign). A
/// `#[non_exhaustive]` enum needs this arm. The arm also suits variants whose memory you do not
/// want to profile.
///
/// ```
/// # mod geo {
/// #     #[non_exhaustive]
/// #     pub enum Shape { Point, Line(Vec<f64>), Circle { centre: Vec<f64>, name: String }, Mesh }
/// # }
/// memprof::walk::foreign! {
///     fn profile_shape(enum geo::Shape {
///         Point,
///         Line(points),
///         Circle { centre, name },
///         _,
///     });
/// }
///
/// #[derive(memprof::MemoryProfile)]
/// struct Drawing {
///     #[profile(each = profile_shape)]
///     shapes: Vec<geo::Shape>,
/// }
///
/// let circle = geo::Shape::Circle { centre: vec![0.0; 2], name: String::from("hub") };
/// let drawing = Drawing { shapes: vec![geo::Shape::Line(vec![0.0; 6]), circle] };
/// let folded = memprof::Profile::of(&drawing).to_folded();
/// assert!(folded.contains("Drawing;shapes;Line 48\n"));
/// assert!(folded.contains("Drawing;shapes;Circle;name 3\n"));
/// # let _ = [geo::Shape::Point, geo::Shape::Mesh];
/// ```
///
/// # Generic types
/// The parameters of a generic type follow the function's name: `fn profile_grid<T>(geo::Grid<T> {
/// cells });`. The macro adds the bound `MemoryProfile` to each parameter.
#[macro_export]
macro_rules! foreign {
    () => {};
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $function:ident $(<$($param:ident),+ $(,)?>)? (enum $($target:tt)+);
        $($rest:tt)*
    ) => {
        $crate::foreign! { @path enum
            [$(#[$attribute])* $visibility] $function [$($($param)+)?] [] [] $($target)+
        }
        $crate::foreign! { $($rest)* }
    };
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $function:ident $(<$($param:ident),+ $(,)?>)? ($($target:tt)+);
        $($rest:tt)*
    ) => {
        $crate::foreign! { @path struct
            [$(#[$attribute])* $visibility] $function [$($($param)+)?] [] [] $($target)+
        }
        $crate::foreign! { $($rest)* }
    };
    // These rules read the type token by token up to the final `{ … }` or `( … )`. They collect the
    // path before any `<`, and the whole type.
    (@path $kind:tt $head:tt $function:ident $params:tt [$($path:tt)+] [$($type:tt)+] $body:tt) => {
        $crate::foreign! { @$kind
            $head $function $params [$($type)+] [$($path)+] $body $body
        }
    };
    (@path $kind:tt $head:tt $function:ident $params:tt $path:tt [$($type:tt)+] < $($rest:tt)+) => {
        $crate::foreign! { @arguments $kind $head $function $params $path [$($type)+ <] $($rest)+ }
    };
    (@path $kind:tt $head:tt $function:ident $params:tt [$($path:tt)*] [$($type:tt)*] $next:tt
        $($rest:tt)+
    ) => {
        $crate::foreign! { @path $kind
            $head $function $params [$($path)* $next] [$($type)* $next] $($rest)+
        }
    };
    (@arguments $kind:tt $head:tt $function:ident $params:tt $path:tt $type:tt $body:tt) => {
        $crate::foreign! { @$kind $head $function $params $type $path $body $body }
    };
    (@arguments $kind:tt $head:tt $function:ident $params:tt $path:tt [$($type:tt)+] $next:tt
        $($rest:tt)+
    ) => {
        $crate::foreign! { @arguments $kind
            $head $function $params $path [$($type)+ $next] $($rest)+
        }
    };
    // A pattern without attributes keeps the user's tokens, so the compiler's error for a missing
    // field points to the user's code.
    (@struct $head:tt $function:ident $params:tt $type:tt [$($path:tt)+] $pattern:tt
        { $($index:tt: $field:ident),+ $(,)? }
    ) => {
        $crate::foreign! { @written
            $head $function $params $type [$($path)+ $pattern] $([$field])+
        }
    };
    (@struct $head:tt $function:ident $params:tt $type:tt [$($path:tt)+] $pattern:tt
        { $($field:ident),+ $(,)? }
    ) => {
        $crate::foreign! { @written
            $head $function $params $type [$($path)+ $pattern] $([$field])+
        }
    };
    (@struct $head:tt $function:ident $params:tt $type:tt [$($path:tt)+] $pattern:tt
        { $($(#[profile($($how:tt)+)])? $field:ident),+ $(,)? }
    ) => {
        $crate::foreign! { @written
            $head $function $params $type [$($path)+ { $($field),+ }] $([$field $($($how)+)?])+,
            $crate::foreign! { @literal $type [$($path)+] $($field)+ }
        }
    };
    (@struct $head:tt $function:ident $params:tt $type:tt [$($path:tt)+] $pattern:tt
        ( $($(#[profile($($how:tt)+)])? $field:ident),+ $(,)? )
    ) => {
        $crate::foreign! { @written
            $head $function $params $type [$($path)+ ( $($field),+ )] $([$field $($($how)+)?])+
        }
    };
    (@written $head:tt $function:ident $params:tt $type:tt [$($pattern:tt)+]
        $([$($field:tt)+])+ $(, $($check:tt)+)?
    ) => {
        $crate::foreign! { @function $head $function $params $type value walk at {
            $($($check)+)?
            let $($pattern)+ = value;
            $crate::foreign! { @fields $type walk (at) $([$($field)+])+ }
        } }
    };
    // The compiler's error for a literal names the missing fields. Its error for a pattern does not
    // name them if the braces come from this macro.
    (@literal [$($type:tt)+] [$($path:tt)+] $($field:ident)+) => {
        let _ = || {
            let _: $($type)+ = $($path)+ { $($field: $crate::__private::never()),+ };
        };
    };
    (@enum $head:tt $function:ident $params:tt $type:tt $path:tt $body:tt
        { $($variant:ident $(($($tuple:tt)*))? $({$($braced:tt)*})?),+, _ $(,)? }
    ) => {
        $crate::foreign! { @match $head $function $params $type $path [_]
            $([$variant $(($($tuple)*))? $({$($braced)*})?])+
        }
    };
    (@enum $head:tt $function:ident $params:tt $type:tt $path:tt $body:tt
        { $($variant:ident $(($($tuple:tt)*))? $({$($braced:tt)*})?),+ $(,)? }
    ) => {
        $crate::foreign! { @match $head $function $params $type $path []
            $([$variant $(($($tuple)*))? $({$($braced)*})?])+
        }
    };
    (@match $head:tt $function:ident $params:tt $type:tt $path:tt [$($others:tt)?]
        $([$variant:ident $($fields:tt)?])+
    ) => {
        $crate::foreign! { @function $head $function $params $type value walk at {
            // Numbers the variants. No type of the caller has this name.
            #[allow(non_camel_case_types)]
            enum __MemprofVariant { $($variant),+ }
            let frames = walk.fields(at, $crate::foreign!(@shape $type $($variant)+));
            match value {
                $($crate::foreign!(@pattern $path $variant $($fields $fields)?) => {
                    $crate::foreign! { @variant
                        $type $path $variant walk
                        (frames.at(__MemprofVariant::$variant as u32)) $($fields)?
                    }
                })+
                $($others => walk.opaque(at, $crate::tree::OpaqueReason::Foreign),)?
            }
        } }
    };
    (@pattern [$($path:tt)+] $variant:ident) => { $($path)+::$variant };
    (@pattern [$($path:tt)+] $variant:ident $pattern:tt { $($field:ident),+ $(,)? }) => {
        $($path)+::$variant $pattern
    };
    (@pattern [$($path:tt)+] $variant:ident $pattern:tt ( $($field:ident),+ $(,)? )) => {
        $($path)+::$variant $pattern
    };
    (@pattern [$($path:tt)+] $variant:ident $pattern:tt
        { $($(#[profile($($how:tt)+)])? $field:ident),+ $(,)? }
    ) => {
        $($path)+::$variant { $($field),+ }
    };
    (@pattern [$($path:tt)+] $variant:ident $pattern:tt
        ( $($(#[profile($($how:tt)+)])? $field:ident),+ $(,)? )
    ) => {
        $($path)+::$variant($($field),+)
    };
    (@variant $type:tt $path:tt $variant:ident $walk:ident $at:tt) => {};
    (@variant $type:tt $path:tt $variant:ident $walk:ident $at:tt
        ( $(#[profile($($how:tt)+)])? $field:ident $(,)? )
    ) => {
        $crate::foreign! { @field $walk $at $field $($($how)+)? }
    };
    (@variant $type:tt $path:tt $variant:ident $walk:ident $at:tt
        ( $($(#[profile($($how:tt)+)])? $field:ident),+ $(,)? )
    ) => {
        $crate::foreign! { @fields $type $walk $at $([$field $($($how)+)?])+ }
    };
    (@variant $type:tt [$($path:tt)+] $variant:ident $walk:ident $at:tt
        { $($(#[profile($($how:tt)+)])? $field:ident),+ $(,)? }
    ) => {
        $crate::foreign! { @literal $type [$($path)+::$variant] $($field)+ }
        $crate::foreign! { @fields $type $walk $at $([$field $($($how)+)?])+ }
    };
    // The statements that add several fields, each with a frame.
    (@fields $type:tt $walk:ident ($at:expr) $([$field:ident $($how:tt)*])+) => {
        let fields = $walk.fields($at, $crate::foreign!(@shape $type $($field)+));
        let mut index = 0;
        $(
            $crate::foreign! { @field $walk (fields.at(index)) $field $($how)* }
            index += 1;
        )+
        let _ = index;
    };
    (@shape [$($type:tt)+] $($frame:ident)+) => {
        const {
            &$crate::walk::Shape::lump::<$($type)+>(const { &[$(
                $crate::walk::Field::frame($crate::__private::unraw(::core::stringify!($frame)))
            ),+] })
        }
    };
    (@field $walk:ident ($at:expr) $field:ident) => {
        $crate::MemoryProfile::owned($field, $walk, $at);
    };
    (@field $walk:ident ($at:expr) $field:ident with = $with:expr) => {
        $with($field, $walk, $at);
    };
    (@field $walk:ident ($at:expr) $field:ident each = $each:expr) => {
        $crate::walk::Each::each($field, $each, $walk, $at);
    };
    (@field $walk:ident ($at:expr) $field:ident skip) => {
        $crate::__private::skipped_value($field, $walk, $at);
    };
    (@field $walk:ident $at:tt $field:ident $($other:tt)*) => {
        ::core::compile_error! {
            "an attribute of a field in `foreign!` is `with = path`, `each = path` or `skip`"
        }
    };
    (@function [$($head:tt)*] $function:ident [$($param:ident)*] [$($type:tt)+]
        $value:ident $walk:ident $at:ident { $($body:tt)* }
    ) => {
        $($head)* fn $function<'walked, $($param: $crate::MemoryProfile),*>(
            $value: &'walked $($type)+,
            $walk: &mut $crate::walk::Walk<'walked>,
            $at: $crate::walk::Position,
        ) {
            $($body)*
        }
    };
    ($($other:tt)*) => {
        ::core::compile_error! {
            "`foreign!` writes functions: `pub fn name(path::Type { field, other_field });`, \
             `pub fn name(path::Type(field));` or `pub fn name(enum path::Type { Variant(field), _ });`"
        }
    };
}
