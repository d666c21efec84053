debian=(libtap-formatter-junit-perl=0.11-2)
run() { prove --formatter TAP::Formatter::JUnit t > report.xml; }
