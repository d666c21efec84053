npm=(nyc@18.0.0)
run() { node_modules/.bin/nyc --reporter lcovonly --report-dir . node test.js && mv lcov.info report.info; }
