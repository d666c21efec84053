#!/usr/bin/env bash
# Who meets it: whoever runs tests of FreeBSD's kind with Debian's kyua that print an umlaut or a check mark.
# Most expect: the output in the JUnit file as the test printed it.
# Seen: the file says that it is ISO-8859-1 and has the bytes of UTF-8 as they are, so that "ü" reads "Ã¼"; a byte from
#   0x80 to 0x9F, as "✓" has, is the text "&#18446744073709551516;", with a number that is negative for kyua.
# Source: the implementation, utils/text/operations.cpp of github.com/freebsd/kyua, whose `char` has a sign.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends kyua=0.13+git20190402+a685f911237e-1+b1 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' kyua
printf 'syntax(2)\ntest_suite("shop")\nplain_test_program{name="shop.sh"}\n' > Kyuafile
printf '#!/bin/sh\necho "ü ✓"\n' > shop.sh
chmod +x shop.sh
env -i PATH=/usr/bin:/bin HOME="$folder" kyua test > console
env -i PATH=/usr/bin:/bin HOME="$folder" kyua report-junit > report.xml
python3 - <<'PY'
import xml.dom.minidom
text = xml.dom.minidom.parse('report.xml').getElementsByTagName('system-out')[0].firstChild.data
print('expected: ü ✓; seen:', text.strip())
assert text.startswith('Ã¼ ') and '&#18446744073709551516;' in text
PY
