npm=(karma@6.4.4 karma-jasmine@5.1.0 karma-chrome-launcher@3.2.0 karma-junit-reporter@2.0.1)
run() {
  local code=0
  CHROME_BIN=$(command -v chromium) node_modules/.bin/karma start karma.conf.cjs || code=$?
  cp reports/*/report.xml .
  return $code
}
