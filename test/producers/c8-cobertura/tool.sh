npm=(c8@12.0.0)
run() { node_modules/.bin/c8 --include 'src/**' --reporter cobertura --report-dir . node test.js && mv cobertura-coverage.xml report.xml; }
