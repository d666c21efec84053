#!/usr/bin/env bash
# Who meets it: a repository of several packages, each tested with c8 in its own folder, whose tracefiles a job merges
#   with lcov-result-merger before it uploads them. Both packages have a src/index.js, one is tested and one is not.
# Most expect: two files in the merged tracefile, one covered and one not.
# Seen: c8 names files relative to the folder that it runs in, the merger joins records by that name, and nothing is
#   said: one file at 100 %. `--prepend-source-files` tells them apart, and is off by default.
# Source: the merger's own thread about paths of sub-directories, github.com/mweibel/lcov-result-merger/issues/44.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error c8@12.0.0 lcov-result-merger@6.0.0 > /dev/null
for name in tested untested; do
  mkdir -p "packages/$name/src"
  cat > "packages/$name/src/index.js" <<'JS'
exports.half = (n) => {
  return n / 2
}
JS
done
echo "if (require('./src/index.js').half(4) !== 2) process.exit(1)" > packages/tested/test.js
echo "require('./src/index.js')" > packages/untested/test.js
for name in tested untested; do
  (cd "packages/$name" && "$folder/node_modules/.bin/c8" --reporter=lcovonly --include 'src/**' node test.js)
done
merge() { node_modules/.bin/lcov-result-merger 'packages/*/coverage/lcov.info' "$@"; }
merge merged.info
merge apart.info --prepend-source-files
files() { grep -c '^SF:' "$1"; }
missed() { grep -cE '^DA:[0-9]+,0' "$1" || true; }
for each in packages/untested/coverage/lcov.info merged.info apart.info; do
  echo "$each: $(files "$each") files, $(missed "$each") lines not hit"
done
echo "c8 $(node -p "require('./node_modules/c8/package.json').version"), lcov-result-merger $(node -p "require('./node_modules/lcov-result-merger/package.json').version")"
echo 'expected: 2 files in merged.info, with the lines that the untested package misses'
[ "$(missed packages/untested/coverage/lcov.info)" -gt 0 ] &&
  [ "$(files merged.info)" = 1 ] && [ "$(missed merged.info)" = 0 ] && [ "$(files apart.info)" = 2 ]
