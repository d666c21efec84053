import unittest, sys
from nose2.tools import params
class Shop(unittest.TestCase):
    def test_adds(self): self.assertEqual(2+2, 4)
    def test_fails(self): self.assertEqual(1, 2, 'price \x1b[31mwrong\x1b[0m')
    def test_raises(self): raise KeyError('no such unit')
    @unittest.skip('later <&>')
    def test_left_out(self): pass
    @unittest.expectedFailure
    def test_expected(self): self.fail('known')
    @unittest.expectedFailure
    def test_unexpected(self): pass
    def test_prints(self): print('\x1b[32mgreen\x1b[0m \x07'); print('err', file=sys.stderr); self.fail('printed')
    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i): self.assertEqual(i, 1)
    @params(1, 2, 1)
    def test_rows(self, n): self.assertEqual(n, 1)
class BadSetup(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise RuntimeError('no database')
    def test_never(self): pass
class BadTearDown(unittest.TestCase):
    @classmethod
    def tearDownClass(cls): raise RuntimeError('cannot close')
    def test_passes(self): pass
class BadEach(unittest.TestCase):
    def setUp(self): raise RuntimeError('no row')
    def test_one(self): pass
class BadBoth(unittest.TestCase):
    def tearDown(self): raise RuntimeError('still open')
    def test_fails(self): self.fail('first')
@params(('a', 1), ('a', 2))
def test_func(a, b): assert b == 1
