npm=(node@24.21.0)
run() { node_modules/.bin/node --test --experimental-test-coverage --test-coverage-include='src/**' --test-reporter=lcov --test-reporter-destination=report.info test.js; }
