npm=(tape@5.10.2 tap-xunit@2.4.1)
run() {
  local code=0
  node shop.test.mjs > tap.txt || code=$?
  node_modules/.bin/tap-xunit < tap.txt | sed -E '/^ +at (Immediate|process|Test\.run|Test\.end|new|async)/d' > report.xml
  return $code
}
