import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** Generated folders, which a copy of the sources does not need. */
const MADE = ['.git', '.data', 'dist', 'node_modules']
const READY = /Assay is ready/g

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-dev-'))
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (path) => !MADE.includes(relative(ROOT, path)),
  })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

test('npm run dev serves, builds and serves again after a change, and ends on Ctrl-C', async () => {
  const env = { ...process.env, PORT: '0', DATA_DIR: join(folder, 'data') }
  const dev = spawn('npm', ['run', 'dev'], { cwd: folder, env, detached: true })
  const exited = once(dev, 'exit')
  let output = ''
  let look = () => {}
  for (const stream of [dev.stdout, dev.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      look()
    })
  const readyTimes = (count: number) =>
    new Promise<void>((resolve, reject) => {
      look = () => (output.match(READY)?.length ?? 0) >= count && resolve()
      look()
      void exited.then(() => reject(new Error(`npm run dev ended:\n${output}`)))
    })
  try {
    await readyTimes(1)
    appendFileSync(join(folder, 'gateway', 'welcome.ts'), '// changed\n')
    await readyTimes(2)
  } finally {
    process.kill(-(dev.pid ?? 0), 'SIGINT') // as a terminal does: to npm and to all that it started
    await exited
  }
  expect(dev.exitCode).toBe(0)
})
