import { spawn } from 'node:child_process'
import { createServer } from 'node:http'

const server = createServer(({ url }, response) => {
  if (url !== '/slow') response.end('{"net":2}')
})
server.listen(0, '127.0.0.1', () => {
  const base = `http://127.0.0.1:${server.address().port}`
  const args = ['run', 'shop.json', '--env-var', `base=${base}`, '--timeout-request', '500']
  const newman = spawn('node_modules/.bin/newman', [...args, '--reporters', 'junit', '--reporter-junit-export', 'report.xml'])
  newman.on('exit', (code) => process.exit(code))
})
