npm=(@playwright/test@1.65.1)
run() { PLAYWRIGHT_JUNIT_OUTPUT_NAME=report.xml node_modules/.bin/playwright test --retries 1 --workers 1 --reporter junit; }
