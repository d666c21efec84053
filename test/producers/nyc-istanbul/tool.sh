npm=(nyc@18.0.0)
run() { node_modules/.bin/nyc --reporter json --report-dir . node test.js && mv coverage-final.json report.json; }
