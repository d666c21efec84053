debian=(ruby-rspec=3.12.0c0e1m1s0-1 ruby-rspec-junit-formatter=0.4.1-2)
run() { rspec --no-color --require rspec_junit_formatter --format RspecJunitFormatter --out report.xml; }
