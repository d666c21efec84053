debian=(qt6-base-dev=6.4.2+dfsg-10)
run() { qmake6 cart.pro && make && ./tst_cart -o report.xml,junitxml; }
