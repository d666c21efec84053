debian=(cmake=3.25.1-1)
run() { cmake -S . -B build && cd build && ctest --output-junit ../report.xml; }
