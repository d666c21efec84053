debian=(lua-unit=3.4-2)
run() { lua5.1 shop.lua -o junit -n report; }
