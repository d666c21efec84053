npm=(tap@21.8.0)
run() { node_modules/.bin/tap --allow-incomplete-coverage --disable-coverage -j1 --reporter=junit --reporter-file=report.xml; }
