#!/usr/bin/env bash
# Who meets it: a Go project that lets gotestsum run flaky tests again, and a server that judges its JUnit file.
# Most expect: a run that ends with 0 has no failure in its report, or marks those of earlier tries.
# Seen: each try is a testcase of the same classname and name, and the totals count all of them: two tests and one
#   failure for one test that passed.
# Source: github.com/gotestyourself/gotestsum/issues/281, where it is said to be meant so.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends gotestsum=1.8.2-1+b3 golang-go=2:1.19~1 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' gotestsum golang-go
printf 'module shop.example\n\ngo 1.19\n' > go.mod
cat > shop_test.go <<'GO'
package shop

import (
	"os"
	"testing"
)

func TestOrder(t *testing.T) {
	if _, err := os.Stat("ran"); err != nil {
		os.WriteFile("ran", nil, 0o600)
		t.Fatal("not yet")
	}
}
GO
code=0
GOCACHE="$folder/cache" gotestsum --junitfile report.xml --rerun-fails=1 --packages ./... -- -count=1 > console 2>&1 || code=$?
grep -E '<testsuites|<testcase' report.xml
echo "expected: exit code 0 and no failure; seen: exit code $code and $(grep -c '<failure' report.xml) failure in $(grep -c '<testcase' report.xml) tests"
[ "$code" = 0 ] && [ "$(grep -c '<testcase classname="shop.example" name="TestOrder"' report.xml)" = 2 ] && grep -q '<testsuites tests="2" failures="1"' report.xml
