#!/usr/bin/env bash
# Who meets it: a C++ project with disabled tests, whose report is stored by the time that it names first.
# Most expect: the time of the run for each test and suite.
# Seen: a disabled test has timestamp="1970-01-01T00:00:00.000", and so has the suite of nothing but disabled ones, which
#   may stand first; one that skips itself has the true time.
# Source: google.github.io/googletest/advanced.html, on disabled tests and the XML report.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TZ=UTC
apt-get install -qy --no-install-recommends libgtest-dev=1.12.1-0.2 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' libgtest-dev
cat > shop.cpp <<'CPP'
#include <gtest/gtest.h>
TEST(Off, DISABLED_Later) {}
TEST(Shop, Skips) { GTEST_SKIP() << "not today"; }
CPP
g++ -O0 shop.cpp -lgtest -lgtest_main -lpthread -o shop
./shop --gtest_output=xml:report.xml > /dev/null
grep -oE '<test(suite|case) name="[^"]*"|timestamp="[^"]*"' report.xml | paste -sd' ' | sed 's/ </\n</g'
echo 'expected: times of today alone'
grep 'name="DISABLED_Later"' report.xml | grep -q 'timestamp="1970-01-01T' &&
  grep 'name="Skips"' report.xml | grep -q "timestamp=\"$(date +%Y)"
