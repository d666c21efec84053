#!/usr/bin/env bash
# Who meets it: a Perl project that leaves tests out where a database is absent, and publishes prove's JUnit report.
# Most expect: <skipped> for them, with the reason that the test gives.
# Seen: a testcase without any element, as one that passed; the reason is in the text of system-out alone. A file that
#   skips all of its tests is a suite of none.
# Source: metacpan.org/pod/TAP::Formatter::JUnit
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends libtap-formatter-junit-perl=0.11-2 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' libtap-formatter-junit-perl
cat > one.t <<'PERL'
use Test::More tests => 2;
ok(1, 'adds');
SKIP: { skip 'no database', 1; ok(1, 'asks the database') }
PERL
echo "use Test::More skip_all => 'no database';" > all.t
prove --formatter TAP::Formatter::JUnit one.t all.t > report.xml
cases=$(grep -c '<testcase' report.xml)
skips=$(grep -c '<skipped' report.xml || true)
echo "expected: skipped tests; seen: $cases testcases, $skips <skipped>"
[ "$cases" = 2 ] && [ "$skips" = 0 ] && grep -q 'no database' report.xml
