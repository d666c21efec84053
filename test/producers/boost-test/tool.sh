debian=(libboost1.74-dev=1.74.0+ds1-21)
run() { g++ -O0 -o shop shop.cpp && ./shop --logger=JUNIT,all,report.xml --catch_system_errors=no; }
