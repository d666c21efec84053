#!/usr/bin/env bash
# Who meets it: a C++ project that marks a known fault with should_fail, and hands the JUnit report to a server.
# Most expect: a report without failures, as the program ends with 0 and prints SUCCESS.
# Seen: the report has <failure> and failures="1" for a test that did as announced; and the reverse, a test that should
#   fail but passes, ends the program with 1 and stands in the report without a failure. Both verdicts are turned round.
# Source: github.com/doctest/doctest/issues/1029, open.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends doctest-dev=2.4.9~ds-1 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' doctest-dev
for value in 5 4; do
  cat > "$value.cpp" <<CPP
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
TEST_CASE("known" * doctest::should_fail()) { CHECK(2 + 2 == $value); }
CPP
  g++ -O0 "$value.cpp" -o "run-$value"
  code=0
  "./run-$value" --reporters=junit --out="$value.xml" || code=$?
  echo "$value: exit code $code,$(grep -o ' failures="[0-9]*"' "$value.xml" | sed -n 1p)"
done | tee seen
echo 'expected: 0 with no failure, and 1 with one'
[ "$(cat seen)" = $'5: exit code 0, failures="1"\n4: exit code 1, failures="0"' ]
