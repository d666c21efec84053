debian=(lua-busted=2.1.1-1)
run() { busted -o junit -Xoutput report.xml shop_spec.lua; }
