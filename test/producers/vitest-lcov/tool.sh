npm=(vitest@4.1.10 @vitest/coverage-v8@4.1.10)
run() { node_modules/.bin/vitest run --coverage.enabled --coverage.include 'src/**' --coverage.reporter lcovonly && mv coverage/lcov.info report.info; }
