import unittest
class Good(unittest.TestCase):
    def test_adds(self): print('said'); self.assertEqual(2 + 2, 4)
    def test_fails(self): self.assertEqual(2, 3, 'price differs')
    def test_errors(self): raise RuntimeError('no unit')
    @unittest.skip('not now')
    def test_skipped(self): pass
    @unittest.expectedFailure
    def test_known(self): self.fail('known')
    @unittest.expectedFailure
    def test_fixed(self): pass
    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i): self.assertEqual(i % 2, 0)
class Bad(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise RuntimeError('no database')
    def test_absent(self): pass
class Down(unittest.TestCase):
    def tearDown(self): raise RuntimeError('cannot close')
    def test_both(self): self.fail('first')
    def test_down(self): pass
def test_gen():
    def check(x): assert x < 2, 'row %d' % x
    for i in range(3): yield check, i
