#!/usr/bin/env bash
# Who meets it: a C++ or Rust project that gates on the totals of a tracefile, with one tool that adds LF and LH and one that
#   counts the lines: they report other percentages for the same file.
# Most expect: what geninfo(1) says: LF is the number of instrumented lines, LH that of lines with a count above 0, so those
#   of the rows DA of the same file.
# Seen: llvm-cov export adds the lines of functions, so a line of a lambda counts twice in LF and LH: once for itself, and once
#   for the function around it.
# Source: llvm/tools/llvm-cov/CoverageExporterLcov.cpp and CoverageSummaryInfo.cpp of github.com/llvm/llvm-project; geninfo(1)
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends clang-14=1:14.0.6-12 llvm-14=1:14.0.6-12 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' clang-14 llvm-14
cat > shop.cpp <<'CPP'
int price(int n) {
  auto twice = [](int x) {
    return x + x;
  };
  if (n > 100)
    return 0;
  return twice(n);
}
int main() { return price(2) - 4; }
CPP
clang++-14 -fprofile-instr-generate -fcoverage-mapping shop.cpp -o shop
LLVM_PROFILE_FILE=shop.profraw ./shop
llvm-profdata-14 merge shop.profraw -o shop.profdata
llvm-cov-14 export -format=lcov -instr-profile shop.profdata shop > shop.info
rows=$(grep -c '^DA:' shop.info)
found=$(sed -n 's/^LF://p' shop.info)
echo "expected: LF:$rows, as there are $rows rows DA; seen: LF:$found"
[ "$rows" = 9 ] && [ "$found" = 12 ]
