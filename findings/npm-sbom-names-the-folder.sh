#!/usr/bin/env bash
# Met by projects that publish a bill of materials made by `npm sbom --sbom-format cyclonedx`: the name of the described
# component is that of the folder, and not that of package.json, while its purl and its bom-ref have the latter. So two
# builds of one commit differ by where they were checked out, and inventories list a product called "workspace" or
# "build-42". Most expect the name of package.json. Source:
# https://github.com/npm/cli/issues/9178, changed for npm 12 alone; npm 11, which Node 24 brings, goes on so.
# Ends with 0 while it is so, and with 1 once the name is that of the package.
set -euo pipefail
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
mkdir "$temp/a-folder"
cd "$temp/a-folder"
echo '{ "name": "the-package", "version": "1.2.3" }' > package.json
npm install --package-lock-only --no-audit --no-fund --loglevel=error > /dev/null
echo "npm $(npm --version)"
echo 'expected: the component is called the-package'
component='JSON.parse(require("fs").readFileSync(0)).metadata.component'
seen=$(npm sbom --sbom-format cyclonedx | node -p "const { name, purl } = $component; name + ', of ' + purl")
echo "seen: the component is called $seen"
[ "$seen" = 'a-folder, of pkg:npm/the-package@1.2.3' ]
