//! The instructions of a function, with the linker's addresses removed.

use std::collections::HashMap;

/// The output of objdump for one program.
pub(super) struct Disassembly {
    /// The program's name, which is part of the names of its functions and statics.
    program: String,
    code: String,
    /// Functions whose addresses the loader writes, by the location of the address.
    slots: HashMap<u64, String>,
}

impl Disassembly {
    pub(super) fn new(program: &str, code: String, relocations: &str) -> Self {
        let names: HashMap<_, _> = code.lines().filter_map(heading).collect();
        let slots = relocations.lines().filter_map(slot);
        let slots = slots
            .filter_map(|(slot, target)| Some((slot, (*names.get(&target)?).to_owned())))
            .collect();
        Self { program: program.to_owned(), code, slots }
    }

    /// Returns the instructions of one of the compiler's own functions.
    pub(super) fn function(&self, name: &str) -> Option<Vec<String>> {
        let name = format!("__rustc::{name}");
        let lines = self.code.lines();
        let mut lines =
            lines.skip_while(|line| heading(line).is_none_or(|(_, found)| found != name));
        lines.next()?;
        let body = lines.take_while(|line| !line.trim().is_empty());
        let mut body: Vec<_> = body.filter_map(|line| self.instruction(line)).collect();
        // The padding up to the next function never runs.
        while body.last().is_some_and(|last| last == "int3" || last.starts_with("nop")) {
            body.pop();
        }
        Some(body)
    }

    /// Parses for example `204a: jmp *0x54c3b(%rip)  # 750d8 <malloc@GLIBC_2.2.5>`, and keeps the
    /// name.
    fn instruction(&self, line: &str) -> Option<String> {
        let (_, text) = line.split_once(":\t")?;
        let (text, target) = match text.split_once('#') {
            Some((text, note)) => (without_distance(text), self.target(note)),
            None => match text.split_once('<') {
                Some((text, name)) => (without_address(text), format!("<{name}")),
                None => (text.to_owned(), String::new()),
            },
        };
        let target = target.replace(&format!("<{}::", self.program), "<program::");
        let tokens = text.split_whitespace().chain(target.split_whitespace());
        Some(tokens.collect::<Vec<_>>().join(" "))
    }

    /// Returns the target of a note like `750f8 <_DYNAMIC+0x270>`.
    fn target(&self, note: &str) -> String {
        let (address, name) = note.trim().split_once(' ').unwrap_or((note.trim(), ""));
        let address = u64::from_str_radix(address, 16).ok();
        match address.and_then(|address| self.slots.get(&address)) {
            Some(name) => format!("<{name}>"),
            None => name.to_owned(),
        }
    }
}

/// Removes the distance from `jmp *0x54c3b(%rip)`.
fn without_distance(text: &str) -> String {
    let Some((before, after)) = text.split_once("(%rip)") else { return text.to_owned() };
    let kept = before.trim_end_matches(|letter: char| letter.is_ascii_hexdigit() || letter == 'x');
    format!("{}(%rip){after}", kept.trim_end_matches('-'))
}

/// Removes the address from `je 203bd `. The name after it contains the offset in the function.
fn without_address(text: &str) -> String {
    let text = text.trim_end();
    text.rsplit_once(' ').map_or(text, |(kept, _)| kept).to_owned()
}

/// Parses the address and the name in `00000000000203a0 <__rustc::__rust_alloc>:`.
fn heading(line: &str) -> Option<(u64, &str)> {
    let (address, name) = line.split_once(" <")?;
    Some((u64::from_str_radix(address, 16).ok()?, name.strip_suffix(">:")?))
}

/// Parses the location and the address that the loader writes, in `750f8 R_X86_64_RELATIVE
/// *ABS*+0x54960`.
fn slot(line: &str) -> Option<(u64, u64)> {
    let mut tokens = line.split_whitespace();
    let slot = u64::from_str_radix(tokens.next()?, 16).ok()?;
    let target = tokens.nth(1)?.strip_prefix("*ABS*+0x")?;
    Some((slot, u64::from_str_radix(target, 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::Disassembly;

    fn instructions(program: &str, code: &str, relocations: &str) -> Vec<String> {
        let code = format!(
            "0000000000020480 <other::function>:\n   20480:\tret\n\n\
             00000000000204e0 <__rustc::__rust_realloc>:\n{code}\n\n\
             0000000000054960 <std::sys::alloc::realloc_fallback>:\n   54960:\tret\n"
        );
        let disassembly = Disassembly::new(program, code, relocations);
        disassembly.function("__rust_realloc").expect("the function is there")
    }

    #[test]
    fn addresses_are_removed_and_names_kept() {
        let code = "   204e0:\tcmp    $0x11,%rdx\n   \
                    204fa:\tje     20508 <__rustc::__rust_realloc+0x28>\n   \
                    20502:\tjmp    *0x54be8(%rip)        # 750f0 <realloc@GLIBC_2.2.5>\n   \
                    20508:\tlea    -0x10385(%rip),%rdi        # 1018a <forwarding::ALLOC>\n   \
                    2050f:\tjmp    *0x54be3(%rip)        # 750f8 <_DYNAMIC+0x270>\n   \
                    20515:\tint3\n   20516:\tint3";
        let relocations = "00000000000750f8 R_X86_64_RELATIVE  *ABS*+0x0000000000054960\n";
        assert_eq!(
            instructions("forwarding", code, relocations),
            [
                "cmp $0x11,%rdx",
                "je <__rustc::__rust_realloc+0x28>",
                "jmp *(%rip) <realloc@GLIBC_2.2.5>",
                "lea (%rip),%rdi <program::ALLOC>",
                "jmp *(%rip) <std::sys::alloc::realloc_fallback>",
            ]
        );
    }

    #[test]
    fn programs_linked_at_other_addresses_are_the_same_and_other_callees_are_not() {
        let one = "   204e0:\tlea    -0x5(%rip),%rdi        # 18 <one::ALLOC>\n   \
                   204e7:\tjmp    *0xabc(%rip)        # 99 <free@GLIBC_2.2.5>";
        let two = "   504e0:\tlea    0x77(%rip),%rdi        # 21 <two::ALLOC>\n   \
                   504e7:\tjmp    *0x1(%rip)        # 9a <free@GLIBC_2.2.5>";
        assert_eq!(instructions("one", one, ""), instructions("two", two, ""));
        let malloc = two.replace("free", "malloc");
        assert_ne!(instructions("one", one, ""), instructions("two", &malloc, ""));
    }

    #[test]
    fn constants_are_not_addresses() {
        let code = "   204e0:\tmov    $0x1,%edi\n   204e5:\tmov    0x10(%rsp),%rax";
        assert_eq!(instructions("one", code, ""), ["mov $0x1,%edi", "mov 0x10(%rsp),%rax"]);
    }
}
