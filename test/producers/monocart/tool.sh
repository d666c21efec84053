npm=(monocart-coverage-reports@2.13.0 node@24.21.0)
run() { PATH=$PWD/node_modules/.bin:$PATH mcr -c mcr.config.mjs node cart.test.js && mv mcr/clover.xml report.xml; }
