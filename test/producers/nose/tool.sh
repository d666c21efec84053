debian=(python3-nose=1.3.7-9)
run() { /usr/bin/python3 -m nose --with-xunit --xunit-file=report.xml; }
