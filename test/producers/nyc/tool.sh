npm=(nyc@18.0.0)
run() { node_modules/.bin/nyc --reporter cobertura --report-dir . node test.js && mv cobertura-coverage.xml report.xml; }
