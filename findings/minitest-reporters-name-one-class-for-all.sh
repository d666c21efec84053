#!/usr/bin/env bash
# Who meets it: a Ruby project on Debian 12 that writes JUnit files with the packaged minitest and its reporters.
# Most expect: the class of a test as its classname, and a file for each class.
# Seen: since minitest 5.11 results are objects of a class of their own, and this reporter names that one: all tests of
#   all classes are of Minitest::Result, in one file, so that two tests of one name cannot be told apart.
# Source: github.com/minitest-reporters/minitest-reporters/pull/252
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends ruby-minitest=5.17.0-1 ruby-minitest-reporters=1.0.19-2 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' ruby-minitest ruby-minitest-reporters
cat > shop_test.rb <<'RUBY'
require 'minitest/autorun'
require 'minitest/reporters'
Minitest::Reporters.use! [Minitest::Reporters::JUnitReporter.new('reports')]
class CartTest < Minitest::Test
  def test_adds; assert true; end
end
class OrderTest < Minitest::Test
  def test_adds; assert true; end
end
RUBY
ruby shop_test.rb > console
grep -h '<testcase' reports/*.xml
echo "expected: CartTest and OrderTest; seen: $(cat reports/*.xml | grep -o 'classname="[^"]*"' | sort -u | tr '\n' ' ')"
[ "$(cat reports/*.xml | grep -c 'classname="Minitest::Result"')" = 2 ]
