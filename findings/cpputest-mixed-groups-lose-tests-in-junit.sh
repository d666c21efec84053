#!/usr/bin/env bash
# Who meets it: a C++ project whose files hold tests of several groups in turn, or that shuffles them (-s), and whose
#   build hands CppUTest's JUnit files to a server.
# Most expect: each test in the file of its group; above all the one that failed.
# Seen: a group that is entered again begins its file anew, so what ran before is lost: the program ends with a failure,
#   and no file has one. A line break of a message is the word {newline}.
# Source: github.com/cpputest/cpputest/issues/1741, open; also 1105, open, for ordered tests.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q libcpputest-dev=4.0-2 >/dev/null
dpkg-deb -x libcpputest-dev_*.deb tools
ls libcpputest-dev_*.deb
cat > shop.cpp <<'CPP'
#include <CppUTest/CommandLineTestRunner.h>
#include <CppUTest/TestHarness.h>
TEST_GROUP(Price) {};
TEST_GROUP(Cart) {};
TEST(Price, IsNet) { CHECK(true); }
TEST(Cart, IsEmpty) { CHECK(true); }
TEST(Price, IsGross) { LONGS_EQUAL(2, 3); } // runs first: the last one in the file does
int main(int count, char **given) { return CommandLineTestRunner::RunAllTests(count, given); }
CPP
g++ -O0 -Itools/usr/include shop.cpp -o shop "-L$(dirname tools/usr/lib/*/libCppUTest.a)" -lCppUTest
code=0
./shop -ojunit >screen || code=$?
grep -oh '<testcase classname="[^"]*" name="[^"]*"' cpputest_*.xml | sort | tee cases
failures=$(cat cpputest_*.xml | grep -c '<failure' || true)
echo "expected: exit code 1, 3 tests in the files, 1 of them failed"
echo "seen: exit code $code, $(wc -l <cases) tests, $failures failed"
[ "$code" = 1 ] && [ "$(wc -l <cases)" = 2 ] && [ "$failures" = 0 ]
