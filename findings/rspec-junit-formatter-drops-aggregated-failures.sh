#!/usr/bin/env bash
# Who meets it: a Ruby project that tags examples with aggregate_failures and reads the JUnit file of its runs.
# Most expect: what was expected and what came, for each of the failures, as the console has it.
# Seen: one <failure> whose message is the name of a class of RSpec, and no text: neither value of either failure.
# Source: sj26/rspec_junit_formatter, lib/rspec_junit_formatter/rspec3.rb, which takes the exception's own message.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends \
  ruby-rspec-core=3.12.0c0e1m1s0-1 ruby-rspec-expectations=3.12.0c0e1m1s0-1 ruby-rspec-junit-formatter=0.4.1-2 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' ruby-rspec-core ruby-rspec-junit-formatter
cat > shop_spec.rb <<'RUBY'
RSpec.describe 'Shop' do
  it('costs', :aggregate_failures) { expect(1).to eq(22222); expect(3).to eq(44444) }
end
RUBY
rspec --no-color --format progress --out console --require rspec_junit_formatter --format RspecJunitFormatter --out report.xml shop_spec.rb || true
grep -A1 '<failure' report.xml
echo "expected: both values; seen: $(grep -cE '22222|44444' console) lines of the console, $(grep -cE '22222|44444' report.xml || true) of the report"
grep -q 22222 console && grep -q 44444 console && grep -q '<failure' report.xml && ! grep -qE '22222|44444' report.xml
