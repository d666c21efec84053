import unittest

class Shop(unittest.TestCase):
    def test_passes(self): self.assertEqual(2 + 2, 4)
    def test_fails(self): self.assertEqual(2 + 2, 5, "price of two")
    def test_raises(self): raise KeyError("no such unit")
    @unittest.skip("not today")
    def test_left_out(self): pass
    def test_prints(self): print("printed")

class BadSetup(unittest.TestCase):
    def setUp(self): raise RuntimeError("no database")
    def test_never_begins(self): pass

class BadClass(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise RuntimeError("no shop")
    def test_absent(self): pass
