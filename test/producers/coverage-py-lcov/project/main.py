from shop.price import price
assert price(2) == 4
