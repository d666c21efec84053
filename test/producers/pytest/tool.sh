debian=(python3-pytest=7.2.1-2)
run() { /usr/bin/python3 -m pytest -p no:cacheprovider -o junit_family=xunit2 --continue-on-collection-errors --junitxml report.xml; }
