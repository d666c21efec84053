module.exports = config => config.set({
  frameworks: ['jasmine'], files: ['shop.spec.js'], reporters: ['junit'], singleRun: true,
  browsers: ['Own'], customLaunchers: { Own: { base: 'ChromeHeadless', flags: ['--no-sandbox'] } },
  client: { jasmine: { random: false } },
  junitReporter: { outputDir: 'reports', outputFile: 'report.xml' },
})
