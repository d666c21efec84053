exports.config = {
  name: 'shop',
  tests: './*_test.js',
  output: './output',
  helpers: { FileSystem: {} },
  plugins: { junitReporter: { enabled: true } },
}
