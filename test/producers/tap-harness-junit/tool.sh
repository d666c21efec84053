debian=(libtap-harness-junit-perl=0.42-3)
run() { JUNIT_OUTPUT_FILE=report.xml prove --harness TAP::Harness::JUnit t; }
