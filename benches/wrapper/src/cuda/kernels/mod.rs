//! The kernels, as PTX that the driver itself compiles. Neither a toolkit nor NVRTC is needed to
//! build or to run them.
//!
//! A template generates them for each type, because the type matters only for reading and writing
//! elements. All computations use `f32`.

#[cfg(test)]
mod machine;
#[cfg(test)]
mod tests;

/// The number of threads in a block, and the maximum number of blocks in the first step of a sum.
pub(super) const THREADS: u32 = 256;

/// `sm_80` is the first architecture with bf16.
const HEAD: &str = ".version 7.1\n.target sm_80\n.address_size 64\n";

/// For each kernel, its name and the instruction that combines `%left` and `%right` into `%left`.
const PAIRS: [(&str, &str); 3] = [
    ("add", "add.rn.f32 %left, %left, %right;"),
    ("mul", "mul.rn.f32 %left, %left, %right;"),
    ("div", "div.rn.f32 %left, %left, %right;"),
];

/// Adds up `%left` of all threads of a block, and stores the sum in `%left` of thread 0.
const OVER_A_BLOCK: &str = "
  mov.u32 %base, lanes;
  shl.b32 %offset, %thread, 2;
  add.u32 %base, %base, %offset;
  st.shared.f32 [%base], %left;
  bar.sync 0;
  mov.u32 %half, 128;
fold:
  setp.ge.u32 %out_of_range, %thread, %half;
  @%out_of_range bra folded;
  shl.b32 %offset, %half, 2;
  add.u32 %offset, %base, %offset;
  ld.shared.f32 %left, [%base];
  ld.shared.f32 %right, [%offset];
  add.rn.f32 %left, %left, %right;
  st.shared.f32 [%base], %left;
folded:
  bar.sync 0;
  shr.u32 %half, %half, 1;
  setp.ne.u32 %more, %half, 0;
  @%more bra fold;
  setp.ne.u32 %out_of_range, %thread, 0;
  @%out_of_range ret;
  ld.shared.f32 %left, [%base];
";

const REGISTERS: &str = "
  .reg .pred %out_of_range, %more;
  .reg .b16 %short, %zero;
  .reg .b32 %block, %size, %thread, %index, %count, %step, %base, %offset, %half;
  .reg .f32 %left, %right, %factor;
  .reg .b64 %one, %other, %result, %place;
  mov.u32 %block, %ctaid.x;
  mov.u32 %size, %ntid.x;
  mov.u32 %thread, %tid.x;
  mad.lo.u32 %index, %block, %size, %thread;
";

/// The instructions that read an element into an `f32` register and write an element from such a
/// register.
struct Type {
    name: &'static str,
    bytes: u32,
    read: fn(&str) -> String,
    write: &'static str,
}

const TYPES: [Type; 3] = [
    Type {
        name: "f32",
        bytes: 4,
        read: |register| format!("ld.global.f32 {register}, [%place];"),
        write: "st.global.f32 [%place], %left;",
    },
    Type {
        name: "f16",
        bytes: 2,
        read: |register| {
            format!("ld.global.b16 %short, [%place];\n  cvt.f32.f16 {register}, %short;")
        },
        write: "cvt.rn.f16.f32 %short, %left;\n  st.global.b16 [%place], %short;",
    },
    Type {
        name: "bf16",
        bytes: 2,
        // A bf16 is the upper half of an `f32`.
        read: |register| {
            format!(
                "ld.global.b16 %short, [%place];\n  mov.b16 %zero, 0;\n  \
                 mov.b32 {register}, {{%zero, %short}};"
            )
        },
        write: "cvt.rn.bf16.f32 %short, %left;\n  st.global.b16 [%place], %short;",
    },
];

/// Returns all kernels of all types.
pub(super) fn ptx() -> String {
    let mut text = HEAD.to_owned();
    for one in &TYPES {
        for (name, computes) in PAIRS {
            text.push_str(&pair(one, name, computes));
        }
        text.extend([scale(one), sum(one), finish(one)]);
    }
    text
}

/// Returns the kernel for `result[i] = one[i] ∘ other[i]`.
fn pair(of: &Type, name: &str, computes: &str) -> String {
    let (one, other, result) =
        (at("%one", of.bytes), at("%other", of.bytes), at("%result", of.bytes));
    let (left, right, write) = ((of.read)("%left"), (of.read)("%right"), of.write);
    let parameters = ".param .u64 one, .param .u64 other, .param .u64 result, .param .u32 count";
    let pointers = [pointer("one"), pointer("other"), pointer("result")].concat();
    entry(
        &format!("{name}_{}", of.name),
        parameters,
        &format!(
            "{pointers}{IN_RANGE}{one}  {left}\n{other}  {right}\n  {computes}\n{result}  {write}\n"
        ),
    )
}

/// Returns the kernel for `result[i] = one[i] · factor`.
fn scale(of: &Type) -> String {
    let (one, result) = (at("%one", of.bytes), at("%result", of.bytes));
    let (left, write) = ((of.read)("%left"), of.write);
    let parameters = ".param .u64 one, .param .u64 result, .param .f32 factor, .param .u32 count";
    let pointers = [pointer("one"), pointer("result")].concat();
    entry(
        &format!("scale_{}", of.name),
        parameters,
        &format!(
            "{pointers}{IN_RANGE}  ld.param.f32 %factor, [factor];\n{one}  {left}\n  \
             mul.rn.f32 %left, %left, %factor;\n{result}  {write}\n"
        ),
    )
}

/// Returns the kernel that sets `result[block]` to the sum of the block's elements. Each run adds
/// the same elements in the same order.
fn sum(of: &Type) -> String {
    let (one, read) = (at("%one", of.bytes), (of.read)("%right"));
    let result = "  mul.wide.u32 %place, %block, 4;\n  add.u64 %place, %place, %result;\n";
    let parameters = ".param .u64 one, .param .u64 result, .param .u32 count";
    let pointers = [pointer("one"), pointer("result")].concat();
    entry(
        &format!("sum_{}", of.name),
        parameters,
        &format!(
            "{LANES}{pointers}  ld.param.u32 %count, [count];\n  mov.u32 %step, %nctaid.x;\n  \
             mul.lo.u32 %step, %step, %size;\n  mov.f32 %left, 0f00000000;\n\
             next:\n  setp.ge.u32 %out_of_range, %index, %count;\n  @%out_of_range bra done;\n\
             {one}  {read}\n  add.rn.f32 %left, %left, %right;\n  add.u32 %index, %index, %step;\n  \
             bra next;\ndone:\n{OVER_A_BLOCK}{result}  st.global.f32 [%place], %left;\n"
        ),
    )
}

/// Returns the kernel that sets `result[0]` to the sum of the blocks' sums, times a factor. It runs
/// in one block.
fn finish(of: &Type) -> String {
    let parameters = ".param .u64 one, .param .u64 result, .param .f32 factor, .param .u32 count";
    let pointers = [pointer("one"), pointer("result")].concat();
    let (one, write) = (at("%one", 4), of.write);
    entry(
        &format!("finish_{}", of.name),
        parameters,
        &format!(
            "{LANES}{pointers}  ld.param.u32 %count, [count];\n  mov.f32 %left, 0f00000000;\n  \
             setp.ge.u32 %out_of_range, %thread, %count;\n  @%out_of_range bra read;\n\
             {one}  ld.global.f32 %left, [%place];\nread:\n{OVER_A_BLOCK}  \
             ld.param.f32 %factor, [factor];\n  mul.rn.f32 %left, %left, %factor;\n  \
             mov.u64 %place, %result;\n  {write}\n"
        ),
    )
}

const LANES: &str = "  .shared .align 4 .b8 lanes[1024];\n";

const IN_RANGE: &str = "  ld.param.u32 %count, [count];
  setp.ge.u32 %out_of_range, %index, %count;
  @%out_of_range ret;
";

fn entry(name: &str, parameters: &str, body: &str) -> String {
    format!("\n.visible .entry {name}({parameters})\n{{{REGISTERS}{body}  ret;\n}}\n")
}

fn pointer(name: &str) -> String {
    format!("  ld.param.u64 %{name}, [{name}];\n  cvta.to.global.u64 %{name}, %{name};\n")
}

/// Sets `%place` to the address of element `%index` of an array.
fn at(array: &str, bytes: u32) -> String {
    format!("  mul.wide.u32 %place, %index, {bytes};\n  add.u64 %place, %place, {array};\n")
}
