npm=(jasmine@7.0.0 jasmine-reporters@2.5.2)
run() { node_modules/.bin/jasmine --random=false spec/shop.spec.js; }
