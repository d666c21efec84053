import pytest

def price(units): return units * 2

def test_passes(): assert price(2) == 4

def test_fails(): assert price(2) == 5, "price of two"

def test_raises(): raise KeyError("no such unit")

@pytest.mark.skip(reason="not today")
def test_left_out(): pass

@pytest.mark.xfail(reason="known to fail")
def test_announced(): assert price(1) == 3

@pytest.mark.parametrize("units", [1, 0])
def test_rows(units): assert price(units) > 0

@pytest.fixture
def broken(): raise RuntimeError("no database")

def test_setup(broken): pass

class TestCart:
    class TestDeep:
        def test_nested(self, capsys=None):
            print("printed")
