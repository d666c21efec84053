debian=(python3-nose2=0.12.0-1)
run() { nose2-3 --plugin nose2.plugins.junitxml --junit-xml; local code=$?; mv nose2-junit.xml report.xml; return $code; }
