debian=(python3-xmlrunner=3.2.0-2)
run() { /usr/bin/python3 -m xmlrunner --output-file report.xml test_shop; }
