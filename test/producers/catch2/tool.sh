debian=(catch2=2.13.10-1)
run() { g++ -O0 shop.cpp -o shop && ./shop --reporter junit --out report.xml; }
