debian=(python3-stestr=3.2.1-1 subunit=1.4.0-3)
run() { local code=0; PATH=/usr/bin:$PATH stestr run --serial || code=$?; stestr last --subunit | subunit2junitxml > report.xml; return $code; }
