// Runs WebdriverIO with a driver that only answers in place of a browser.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'

const capabilities = { browserName: 'chrome', browserVersion: '156.0.8078.108', platformName: 'linux' }
const driver = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json')
    const value = request.url === '/session' ? { sessionId: 'one', capabilities } : null
    response.end(JSON.stringify({ value }))
  })
})
driver.listen(0, '127.0.0.1', () => {
  const env = { ...process.env, DRIVER_PORT: driver.address().port }
  const run = spawn('node_modules/.bin/wdio', ['run', 'wdio.conf.js'], { env, stdio: 'inherit' })
  run.on('exit', (code) => process.exit(code ?? 1))
})
