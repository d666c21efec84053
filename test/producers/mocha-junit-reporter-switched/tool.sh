npm=(mocha@11.8.0 mocha-junit-reporter@2.2.1)
run() { node_modules/.bin/mocha --reporter mocha-junit-reporter --reporter-options mochaFile=report.xml,testCaseSwitchClassnameAndName=true; }
