"""Paths and values that several tests use."""

from __future__ import annotations

from pathlib import Path

import pytest

import python_model

ROOT = Path(__file__).resolve().parents[3]
pytest_plugins = ["pytester"]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def netlib() -> Path:
    """The model 25FV47 of netlib."""
    return ROOT / "examples/optimization_model/data/25fv47.mps"


@pytest.fixture
def model(netlib: Path) -> python_model.Model:
    return python_model.Model.read(netlib)


@pytest.fixture
def recording() -> Path:
    """A recording with operations, leaks and sites."""
    return ROOT / "tests/data/recordings/source_index.json"
