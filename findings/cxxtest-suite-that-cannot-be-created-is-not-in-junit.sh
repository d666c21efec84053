#!/usr/bin/env bash
# Who meets it: a C++ project whose suites are made by createSuite(), for example with a connection, and whose pipeline
#   reads the JUnit file of cxxtestgen --xunit-printer.
# Most expect: an error for the suite, or for each of its tests, as the console has two errors and counts a failed test.
# Seen: neither the suite nor its tests are in the file, which counts one test, no error and no failure: it is green. Only
#   the console and the exit code tell.
# Source: the implementation, CxxTest 4.4 (github.com/CxxTest/cxxtest).
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends cxxtest=4.4+git171022-2 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' cxxtest
cat > shop.h <<'CPP'
#include <cxxtest/TestSuite.h>
class Cart : public CxxTest::TestSuite {
public:
  void testAdds() { TS_ASSERT_EQUALS(2 + 2, 4); }
};
class Orders : public CxxTest::TestSuite {
public:
  static Orders *createSuite() { return 0; } // no database
  static void destroySuite(Orders *suite) { delete suite; }
  void testLists() {}
};
CPP
cxxtestgen --xunit-printer --have-eh -o runner.cpp shop.h
g++ -o runner runner.cpp
code=0
./runner > console 2>&1 || code=$?
grep 'createSuite() failed' console
bad=$(grep -cE '<(failure|error)' TEST-cxxtest.xml || true)
named=$(grep -c 'Orders' TEST-cxxtest.xml || true)
echo "expected: an error of Orders; seen: exit code $code, $bad elements, Orders in $named lines of the report"
[ "$code" != 0 ] && [ "$bad" = 0 ] && [ "$named" = 0 ] && grep -q 'testAdds' TEST-cxxtest.xml
