import { createServer } from 'node:net'
import { runProcess } from '../../../platform/process/run-process.ts'

/** A server that prints a text, as the welcome of `npm start`, and serves once that is written or refused. */
const PROGRAM = {
  ...{ service: 'server', usage: ['reloads'], reads: [], exitCodes: {} },
  does: 'With an argument it has something to reload on SIGHUP.',
}

runProcess(PROGRAM, async () => {
  const server = createServer().listen(0, '127.0.0.1')
  if (process.argv.includes('reloads')) process.on('SIGHUP', () => void process.send?.('reloaded'))
  await new Promise((resolve) => process.stdout.write('Welcome\n', resolve))
  // After the events of a failed write.
  setImmediate(() => process.send?.('serving'))
  return { stop: async () => void server.close() }
})
