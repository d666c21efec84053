debian=(libcriterion-dev=2.4.1-2)
run() { gcc -o shop shop.c -lcriterion && ./shop -j1 --xml=report.xml; }
