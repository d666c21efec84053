import { createInterface } from 'node:readline'
import { openDataDir } from '../../../platform/data-dir/data-dir.ts'
import { startEmbeddedPostgres } from '../../../platform/data-dir/embedded-postgres.ts'

/** A process that opens the data folder it is given and runs its database until its input ends. */
const say = (event: string, detail: object = {}) =>
  process.stdout.write(`${JSON.stringify({ event, ...detail })}\n`)

try {
  const started = performance.now()
  const dataDir = await openDataDir(process.argv[2] ?? '')
  const database = await startEmbeddedPostgres({
    directory: `${dataDir.path}/postgres`,
    password: dataDir.keys.databasePassword,
    log: {
      info: (message) => say('info', { message }),
      warn: (message) => say('warn', { message }),
    },
  })
  say('ready', { url: database.url, ms: Math.round(performance.now() - started) })
  createInterface({ input: process.stdin }).on('close', async () => {
    await Promise.all([database.stop(), database.stop()])
    await dataDir.release()
    process.exit(0)
  })
} catch (error) {
  say('failed', { message: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
}
