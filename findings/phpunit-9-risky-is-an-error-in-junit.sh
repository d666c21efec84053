#!/usr/bin/env bash
# Who meets it: a PHP project whose build server judges the file of phpunit --log-junit, with a test that asserts nothing.
# Most expect: a run that ends with 0 and says OK has no error in its report.
# Seen: PHPUnit 9 calls such a test risky, ends with 0, and writes it as an error that its suite counts.
# Source: github.com/sebastianbergmann/phpunit/issues/2691, closed, as the format has no word for it.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends phpunit=9.6.7-1+deb12u1 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' phpunit
cat > ShopTest.php <<'PHP'
<?php
final class ShopTest extends PHPUnit\Framework\TestCase { public function testOrders(): void {} }
PHP
code=0
phpunit --log-junit report.xml ShopTest.php > console 2>&1 || code=$?
errors=$(grep -c '<error type="PHPUnit\\Framework\\RiskyTestError">' report.xml || true)
echo "expected: exit code 0 and no error; seen: exit code $code and $errors error"
[ "$code" = 0 ] && [ "$errors" = 1 ] && grep -q 'errors="1"' report.xml
