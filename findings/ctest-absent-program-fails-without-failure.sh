#!/usr/bin/env bash
# Who meets it: a CMake project of which one test program was not built, whose report of CTest is read by a server.
# Most expect: a failure or an error in the JUnit file, as the console has it under "The following tests FAILED".
# Seen: CTest counts the test as failed and ends with 8; in the file it is among `skipped`, with a <skipped> element
#   and status="notrun", exactly like a test that asked to be left out, and `failures` is 0: a red run, a green report.
# Source: the option --output-junit, cmake.org/cmake/help/latest/manual/ctest.1.html
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ctest --version | sed -n 1p
cat > CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(shop NONE)
enable_testing()
add_test(NAME adds COMMAND true)
add_test(NAME absent COMMAND no-such-program)
CMAKE
cmake -S . -B build > /dev/null
code=0
(cd build && ctest --output-junit ../report.xml > ../console 2>&1) || code=$?
grep -A3 'tests FAILED' console
failures=$(grep -o 'failures="[0-9]*"' report.xml)
status=$(grep '<testcase name="absent"' report.xml | grep -o 'status="[a-z]*"')
echo "expected: a failure in the file; seen: exit code $code, $failures, absent has $status"
[ "$code" = 8 ] && [ "$failures" = 'failures="0"' ] && [ "$status" = 'status="notrun"' ] &&
  ! grep -q '<failure' report.xml
