#!/usr/bin/env bash
# make.sh NAME [--write]: installs the pinned packages of a producer in a temporary folder, runs it on its project, and
# prints what differs from the report beside it but for times. --write replaces the report.
# A folder has project/ and tool.sh: `npm` and `debian` name packages with versions, `run` writes the report.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
own="$here/${1:?expected the name of a folder beside this file}"
[ -f "$own/tool.sh" ] || { echo "make.sh: $own has no tool.sh: its report is kept as data" >&2; exit 2; }
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cp -r "$own/project" "$temp/shop"
cd "$temp/shop"
field() { node -p "require('$own/truth.json').$1"; }
report=$(field report)
npm=() debian=()
# shellcheck source=/dev/null
. "$own/tool.sh"
for package in "${debian[@]}"; do
  version=$(dpkg-query -W -f '${Version}' "${package%%=*}") || { echo "make.sh: install ${package%%=*}" >&2; exit 2; }
  [ "$version" = "${package#*=}" ] || echo "${package%%=*} is $version; the report was written by ${package#*=}"
done
if [ ${#npm[@]} -gt 0 ]; then
  [ -e package.json ] || echo '{ "private": true }' > package.json
  npm install --no-audit --no-fund --save-exact --loglevel=error "${npm[@]}" > "$temp/install" 2>&1 || { cat "$temp/install" >&2; exit 2; }
fi
code=0
(run) > "$temp/output" 2>&1 || code=$?
[ -s "$report" ] || { cat "$temp/output" >&2; echo "make.sh: the tool wrote no $report" >&2; exit 2; }
# Names of folders and of the machine are those of nobody.
sed -e "s#$temp#/home/ci#g" -e "s#${temp#/}#home/ci#g" -e "s#\"$(hostname)\"#\"ci\"#g" "$report" > "$temp/report"
[ "$(field exitCode)" = undefined ] || [ "$code" = "$(field exitCode)" ] || echo "exit code $code; it was $(field exitCode)"
if [ "${2:-}" = --write ]; then cp "$temp/report" "$own/$report"; exit; fi
without_times() {
  sed -E -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9:]+)?/TIME/g' -e 's/ (time|duration|timestamp|duration_ms)="[^"]*"/ \1=""/g' \
    -e 's/[0-9]+(\.[0-9]+)? ?(ms|s)\b/TIME/g' -e 's/"duration": *[0-9.]+/"duration": 0/g' -e 's/0x[0-9a-f]+/0x0/g' -e 's/"(seconds|nanos)": *[0-9]+/"\1":0/g' -e 's/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/UUID/g' -e 's/-[0-9]{14}"/"/g' "$1"
}
diff <(without_times "$own/$report") <(without_times "$temp/report")
