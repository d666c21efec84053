#!/usr/bin/env bash
# Who meets it: whoever reads XML with xmlbuilder2, such as reports of tests that test escaping.
# Most expect: what XML 1.0 says, section 4.4: a reference is read once, so that "&amp;#65;" is the text "&#65;".
# Seen: "A". References with a name are read first, and those with a number in what came of it; one with a number beyond
#   all characters throws and ends the reading, though the document is well-formed.
# Source: the implementation, lib/readers/BaseReader.js of github.com/oozcitak/xmlbuilder2, which replaces in two passes.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error xmlbuilder2@4.0.3 > /dev/null
cat > read.js <<'JS'
const { create } = require('xmlbuilder2')
const read = (text) => create(`<a>${text}</a>`).root().node.textContent
console.log('xmlbuilder2 4.0.3: expected &#65;, seen', read('&amp;#65;'))
let thrown = ''
try { read('&amp;#18446744073709551516;') } catch (error) { thrown = error.message }
console.log('a well-formed document:', thrown)
process.exit(read('&amp;#65;') === 'A' && thrown.startsWith('Invalid code point') ? 0 : 1)
JS
node read.js
