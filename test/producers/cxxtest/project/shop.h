#include <cxxtest/TestSuite.h>
#include <iostream>
#include <stdexcept>

class Shop : public CxxTest::TestSuite {
public:
  void testAdds() { TS_ASSERT_EQUALS(2 + 2, 4); }
  void testFails() {
    TS_ASSERT_EQUALS(1, 2);
    TS_FAIL("second \x1b[31mred\x1b[0m <&>");
  }
  void testThrows() { throw std::runtime_error("no such unit"); }
  void testSkips() { TS_SKIP("later"); }
  void testWarns() { TS_WARN("careful"); }
  void testPrints() { std::cout << "printed\n"; }
};
class BadEach : public CxxTest::TestSuite {
public:
  void setUp() { TS_FAIL("no row"); }
  void testAdds() {}
};
class Orders : public CxxTest::TestSuite {
public:
  static Orders *createSuite() { return 0; }
  static void destroySuite(Orders *suite) { delete suite; }
  void testLists() {}
};
