npm=(c8@12.0.0)
run() { node_modules/.bin/c8 --include 'src/**' --reporter lcovonly --report-dir . node test.js && mv lcov.info report.info; }
