npm=(testem@3.21.3 qunit@3.0.0)
run() { cp node_modules/qunit/qunit/qunit.js . && node_modules/.bin/testem ci --reporter xunit > report.xml; }
