export const config = {
  hostname: '127.0.0.1',
  port: Number(process.env.DRIVER_PORT),
  path: '/',
  specs: ['./shop.spec.js'],
  capabilities: [{ browserName: 'chrome', 'wdio:enforceWebDriverClassic': true }],
  framework: 'mocha',
  mochaOpts: { timeout: 300 },
  logLevel: 'silent',
  reporters: [['junit', { outputDir: '.', outputFileFormat: () => 'report.xml' }]],
}
