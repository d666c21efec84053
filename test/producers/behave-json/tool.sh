debian=(python3-behave=1.2.6-4)
run() { behave --format json --outfile report.json --tags=-skip --no-color; }
