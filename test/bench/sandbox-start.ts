import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createLauncher, type Launcher } from '../../runner/sandbox/launcher.ts'
import { descendantsOf } from '../support/process-tree.ts'
import { format, print, summarize } from './samples.ts'

const STARTS = 30

/** The walls of version 0.1.0. */
const FEWER_WALLS = [
  ...['setpriv', '--no-new-privs', '--pdeathsig', 'KILL', '--'],
  ...['sh', '-c', 'ulimit -c 0; ulimit -f 0; ulimit -n 64; exec "$@"', 'sh'],
  ...['unshare', '--user', '--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--'],
]

const NOTHING = 'process.getBuiltinModule("fs").writeSync(0, "ready"); setTimeout(() => {}, 9e4)'

/** Measures the cost of a sandboxed process until it takes work, in turns with variants of it. */
export async function benchSandboxStart(): Promise<void> {
  print(`\n## ${STARTS} sandboxed processes of each kind, from start until they take work`)
  const launcher = createLauncher() // it ends with this process
  const command = await sandboxCommandOf(join(import.meta.dirname, '../..'))
  const node = [process.execPath, ...command.slice(command.indexOf('--') + 2)]
  const variants = new Map([
    ['as it is', command],
    ['behind user, network and PID namespace alone, made by util-linux', [...FEWER_WALLS, ...node]],
    ['with a random seed for hashing', command.filter((arg) => arg !== '--no-rehash-snapshot')],
    ['with `node --eval` of one line in its place', [process.execPath, '--eval', NOTHING]],
  ])
  const samples = [...variants].map(([name, command]) => ({
    name,
    command,
    starts: [] as { ms: number; cpu: number }[],
  }))
  for (let start = 0; start < STARTS; start++)
    for (const { command, starts } of samples) starts.push(await measureStart(launcher, command))
  for (const { name, starts } of samples) {
    const cpu = summarize(starts.map((start) => start.cpu)).mean
    const { p50 } = summarize(starts.map(({ ms }) => ms))
    print(`${format(cpu)} ms of processor time, p50 ${format(p50)} ms: ${name}`)
  }
}

/** Files with the limits of the sandbox, in this checkout and in earlier ones. */
const LIMITS = ['runner/sandbox', 'subgraphs/test-execution/runners/sandbox'].map(
  (folder) => `${folder}/sandbox-limits.ts`,
)

/** The command of a sandboxed process of a checkout, on this machine. */
export async function sandboxCommandOf(checkout: string): Promise<string[]> {
  const limits = LIMITS.map((file) => join(checkout, file)).find(existsSync) ?? checkout
  const load = (file: string) => import(pathToFileURL(file).href)
  const beside = (file: string) => load(join(dirname(limits), file))
  const [{ detectCapabilities }, { sandboxCommand }, { DEFAULT_LIMITS }] = await Promise.all([
    beside('capabilities.ts'),
    beside('command.ts'),
    load(limits),
  ])
  return sandboxCommand(await detectCapabilities('best-effort'), DEFAULT_LIMITS)
}

/** Earlier versions speak on the standard output. */
const SPEAKS_ON_INPUT = ['sh', '-c', 'exec "$@" >&0', 'sh']

/** Wall time and processor time (ms) until it says that it takes work. */
export async function measureStart(launcher: Launcher, command: readonly string[]) {
  const alive = setInterval(() => {}, 1_000) // the launcher keeps no process from ending
  const begin = performance.now()
  const child = await launcher.launch([...SPEAKS_ON_INPUT, ...command])
  await once(child.stdio, 'data')
  const ms = performance.now() - begin
  const pids = [child.pid, ...(await descendantsOf([child.pid])).map(({ pid }) => pid)]
  const cpu = (await Promise.all(pids.map(runtimeMs))).reduce((sum, each) => sum + each, 0)
  child.kill()
  child.stdio.destroy()
  await child.exited
  clearInterval(alive)
  return { ms, cpu }
}

/** Finer than the ticks of /proc/PID/stat, which are 10 ms. */
async function runtimeMs(pid: number): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`)
  const times = tasks.map(async (task) => {
    const text = await readFile(`/proc/${pid}/task/${task}/schedstat`, 'utf8')
    return Number(text.split(' ')[0]) / 1e6
  })
  return (await Promise.all(times)).reduce((sum, each) => sum + each, 0)
}
