npm=(nyc@18.0.0)
run() { node_modules/.bin/nyc --reporter clover --report-dir . node test.js && mv clover.xml report.xml; }
