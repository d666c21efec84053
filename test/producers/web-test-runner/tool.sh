npm=(@web/test-runner@0.20.2 @web/test-runner-chrome@0.18.1 @web/test-runner-junit-reporter@0.8.0)
run() { CHROME_BIN=$(command -v chromium) node_modules/.bin/wtr; }
