debian=(cxxtest=4.4+git171022-2)
run() { cxxtestgen --xunit-printer --have-eh -o runner.cpp shop.h && g++ -o runner runner.cpp && ./runner; local code=$?; mv TEST-cxxtest.xml report.xml; return $code; }
