"""What notebooks show: no scripts, no ids, bounded sizes; and hostile names."""

from __future__ import annotations

import html.parser
import re
import subprocess
import sys

import pytest

import memprof_rs
import python_model

HOSTILE = [
    "</summary></details><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "\u202ebackwards\u2066",
    "\x1b[31mred\x1b[0m\x07",
    "&lt;script&gt;",
    "x" * 100_000,
]


class Elements(html.parser.HTMLParser):
    """The elements and attributes of a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attributes)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_becomes_markup(model, name):
    profile = model.memory_profile(name)
    elements = Elements(profile._repr_html_())
    assert elements.tags == {"div", "details", "summary", "span", "b"}
    assert elements.attributes == {"style", "open"}
    assert len(profile._repr_html_()) < 200_000
    diff = profile.diff(model.memory_profile("other"))
    assert Elements(diff._repr_html_()).tags == {"pre"}
    assert Elements(profile.report()._repr_html_()).tags == {"pre"}
    for text in [str(profile), repr(profile), profile.to_folded(), str(profile.report())]:
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


def test_a_million_leaves_are_pruned():
    text = "".join(f"root;a{n % 1000};b{n} {n + 1}\n" for n in range(1_000_000))
    profile = memprof_rs.MemoryProfile.from_folded(text)
    shown = profile._repr_html_()
    assert len(shown.encode()) < 200_000
    assert "more, " in shown
    wide = memprof_rs.MemoryProfile.from_folded(
        "".join(f"root;b{n} {n + 1}\n" for n in range(1_000_000))
    )
    assert len(wide._repr_html_().encode()) < 200_000


def test_a_page_is_in_a_frame_that_cannot_read_the_notebook(model, recording):
    for page in [memprof_rs.show(model.memory_profile()), memprof_rs.open(recording).show(height=300)]:
        elements = Elements(page._repr_html_())
        assert elements.tags == {"iframe"}
        assert elements.attributes == {"sandbox", "srcdoc", "width", "height", "style"}
        assert 'sandbox="allow-scripts"' in page._repr_html_()
        assert page.html.lower().startswith("<!doctype html>")


def test_a_page_is_saved_once(model, tmp_path):
    page = memprof_rs.show(model.memory_profile(), title="</title><script>")
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page.html
    with pytest.raises(FileExistsError, match="page.html"):
        page.save(tmp_path / "page.html")
    page.save(tmp_path / "page.html", overwrite=True)


def test_a_cell_may_import_its_extension(netlib):
    """The measurement begins before the import."""
    script = f"""
import memprof_rs
with memprof_rs.measure() as measurement:
    import python_model
    model = python_model.Model.read({str(netlib)!r})
assert measurement.peak_bytes_low > 800_000, measurement
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_cell_prints_what_its_extensions_allocate(netlib, capsys):
    shells = pytest.importorskip("IPython.core.interactiveshell")
    shell = shells.InteractiveShell.instance()
    shell.extension_manager.load_extension("memprof_rs")
    shell.user_ns.update(python_model=python_model, path=str(netlib))
    shell.run_cell_magic("memprof", "", "model = python_model.Model.read(path)")
    assert re.search(r"python_model: peak .* still live", capsys.readouterr().out)
    assert shell.user_ns["model"].variables == 1571
