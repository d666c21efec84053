debian=(python3-behave=1.2.6-4)
run() { local code=0; behave --junit --junit-directory out --tags=-skip --no-color || code=$?; cp out/*.xml report.xml; return $code; }
