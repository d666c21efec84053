npm=(node@24.21.0)
run() { node_modules/.bin/node --test --test-reporter=junit --test-reporter-destination=report.xml shop.test.js; }
