npm=(jest@30.5.2 jest-junit@17.0.0)
run() { JEST_JUNIT_OUTPUT_FILE=report.xml JEST_JUNIT_CLASSNAME='{classname}' JEST_JUNIT_TITLE='{title}' JEST_JUNIT_ADD_FILE_ATTRIBUTE=true node_modules/.bin/jest --reporters=jest-junit; }
