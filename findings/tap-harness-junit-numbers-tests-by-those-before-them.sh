#!/usr/bin/env bash
# Who meets it: a Perl project whose server keeps a history of tests by the JUnit file of prove with TAP::Harness::JUnit.
# Most expect: a number behind the second test of a name, and no number behind others.
# Seen: the counter is never set back. Behind the first test whose name was taken, each test of the run has a number, also
#   in other files: "multiplies (2)" without another "multiplies". A new test so renames all that come after it. Tests
#   that are todo are left out.
# Source: the implementation, uniquename and __auto_number in TAP/Harness/JUnit.pm; Debian 12 has 0.42.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends libtap-harness-junit-perl=0.42-3 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' libtap-harness-junit-perl
cat > shop.t <<'PERL'
use Test::More;
ok(1, 'adds');
ok(1, 'adds') if $ENV{TWICE};
ok(1, 'multiplies');
done_testing;
PERL
names() { TWICE=${1:-} JUNIT_OUTPUT_FILE=report.xml prove --harness TAP::Harness::JUnit shop.t > console 2>&1; grep -o '<testcase name="[^"]*"' report.xml | cut -d'"' -f2 | sort | paste -sd, ; }
once=$(names)
twice=$(names 1)
echo "names before a second adds: $once; expected behind it: adds,adds (2),multiplies; seen: $twice"
[ "$once" = 'adds,multiplies' ] && [ "$twice" = 'adds,adds (2),multiplies (2)' ]
