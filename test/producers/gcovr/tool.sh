debian=(gcovr=5.2-1)
run() { g++ -O0 --coverage -o shop src/shop.cpp && ./shop && gcovr --root . --xml report.xml; }
