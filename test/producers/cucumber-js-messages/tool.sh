npm=(@cucumber/cucumber@13.3.0 node@24.21.0)
run() { PATH="$PWD/node_modules/.bin:$PATH" cucumber-js --retry 1 --retry-tag-filter @flaky --format message:report.ndjson; }
