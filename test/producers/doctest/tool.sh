debian=(doctest-dev=2.4.9~ds-1)
run() { g++ -O0 shop.cpp -o shop && ./shop --reporters=junit --out=report.xml; }
