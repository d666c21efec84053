debian=(gradle=4.4.1-18 junit4=4.13.2-3)
# A file for each class: one document of them is what readers of one file get. Frames below the test are the machine's.
run() {
  local code=0
  GRADLE_USER_HOME=$PWD/.home gradle --offline --no-daemon test || code=$?
  { echo '<testsuites>'; grep -hv -e '<?xml' -e '^	at ' build/test-results/test/*.xml; echo '</testsuites>'; } |
    sed -E 's/( hostname=)"[^"]*"/\1"ci"/' > report.xml
  return $code
}
