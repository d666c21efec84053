module shop.example

go 1.19
