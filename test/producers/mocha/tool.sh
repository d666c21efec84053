npm=(mocha@12.0.3)
run() { node_modules/.bin/mocha --reporter xunit --reporter-option output=report.xml; }
