debian=(libgtest-dev=1.12.1-0.2)
run() { g++ -O0 shop.cpp -lgtest -lgtest_main -lpthread -o shop && ./shop --gtest_output=xml:report.xml; }
