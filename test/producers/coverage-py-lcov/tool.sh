debian=(python3-coverage=6.5.0+dfsg1-2+b1)
run() { python3-coverage run --source shop main.py && python3-coverage lcov -o report.info; }
