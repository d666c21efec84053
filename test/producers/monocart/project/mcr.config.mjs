export default {
  outputDir: './mcr',
  reports: [['clover', { file: 'clover.xml' }]],
  entryFilter: '**/src/**',
  logging: 'error',
}
