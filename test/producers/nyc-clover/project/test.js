if (require('./src/shop.js').price(2) !== 4) process.exit(1)
