npm=(vitest@4.1.10)
run() { node_modules/.bin/vitest run --reporter=junit --outputFile=report.xml; }
