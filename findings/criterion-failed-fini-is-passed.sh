#!/usr/bin/env bash
# Who meets it: a C project whose tests check in .fini that a database was closed or that nothing leaked, and whose
#   pipeline looks at the exit code or at the XML of Criterion.
# Most expect: a failed test, as for an assertion that fails in its body or in .init.
# Seen: the assertion is printed as failed; the test is PASSED in the XML, no failure is counted, and the program ends with 0.
# Source: the implementation, Criterion 2.4.1 (github.com/Snaipe/Criterion).
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends libcriterion-dev=2.4.1-2 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' libcriterion-dev
cat > shop.c <<'C'
#include <criterion/criterion.h>
void fails(void) { cr_assert_fail("still open"); }
Test(body, never) { fails(); }
Test(setup, never, .init = fails) { }
Test(teardown, adds, .fini = fails) { cr_assert(1); }
C
gcc -o shop shop.c -lcriterion
run() { local code=0; ./shop --filter "$1/*" --xml="$1.xml" > "$1.console" 2>&1 || code=$?; echo "$code"; }
body=$(run body)
setup=$(run setup)
teardown=$(run teardown)
grep -m1 'Assertion Failed' teardown.console
bad=$(grep -cE '<(failure|error)' teardown.xml || true)
echo "expected: exit code 1 thrice; seen: $body in the body, $setup in .init, $teardown in .fini with $bad elements that say so"
[ "$body$setup" = 11 ] && [ "$teardown" = 0 ] && [ "$bad" = 0 ] && grep -q 'name="adds".*status="PASSED"' teardown.xml
