debian=(lcov=1.16-1)
run() { g++ -O0 --coverage -o shop src/shop.cpp && ./shop && lcov --quiet --capture --directory . --output-file report.info; }
