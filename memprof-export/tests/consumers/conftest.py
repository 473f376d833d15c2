"""Each test of a format has a recording in that format's folder below `target/exports`."""

import pytest
from recordings import copied
from tools import FOLDER


@pytest.fixture
def folder(request):
    folder = FOLDER / request.path.stem.removeprefix("test_")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(params=["hostile", "overlapping", "source_index"])
def recording(request, folder):
    return copied(request.param, folder)
