import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../platform/data-dir/free-port.ts'
import { print, printSamples } from './samples.ts'

const ROOT = join(import.meta.dirname, '../..')
const CHANGED = ['gateway/http/router.ts', 'subgraphs/events/ingestion/validate.ts']
const RUNS = 5
/** After its first start, `npm run dev` compiles all that later changes need. */
const SETTLE_MS = 15_000
const POLL_MS = 10

/** `npm run dev`: from saving a source file until the product that has the change is ready. */
export async function benchDev(): Promise<void> {
  print('\n## npm run dev: from a saved file to a ready product, existing data folder')
  const folder = await mkdtemp(join(tmpdir(), 'assay-dev-'))
  const port = await freePort()
  const env = { ...process.env, DATA_DIR: folder, PORT: String(port) }
  const dev = spawn('npm', ['run', '--silent', 'dev'], { cwd: ROOT, env, detached: true })
  let output = ''
  for (const stream of [dev.stdout, dev.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const starts = () => output.split('Assay is ready').length - 1
  const readyAfter = async (before: number) => {
    while (starts() === before || !(await isReady(port))) {
      if (dev.exitCode !== null) throw new Error(`npm run dev ended:\n${output}`)
      await delay(POLL_MS)
    }
  }
  try {
    await readyAfter(0)
    await delay(SETTLE_MS)
    for (const file of CHANGED) {
      const samples: number[] = []
      for (let run = 0; run < RUNS; run++) {
        const [before, saved, now] = [starts(), performance.now(), new Date()]
        await utimes(join(ROOT, file), now, now)
        await readyAfter(before)
        samples.push(performance.now() - saved)
      }
      printSamples(file, samples)
    }
  } finally {
    const exited = once(dev, 'exit')
    process.kill(-(dev.pid ?? 0), 'SIGINT')
    await exited
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
