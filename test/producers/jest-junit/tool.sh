npm=(jest@30.5.2 jest-junit@17.0.0)
run() { JEST_JUNIT_OUTPUT_FILE=report.xml node_modules/.bin/jest --reporters=jest-junit; }
