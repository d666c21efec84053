npm=(@playwright/test@1.65.1)
run() { PLAYWRIGHT_JSON_OUTPUT_NAME=report.json node_modules/.bin/playwright test --repeat-each 2 --retries 1 --workers 1 --reporter json; }
