npm=(@hapi/lab@26.0.1)
run() { node_modules/.bin/lab -r junit -o report.xml test; }
