import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { detectCapabilities } from '../../subgraphs/test-execution/runners/sandbox/capabilities.ts'
import { sandboxCommand } from '../../subgraphs/test-execution/runners/sandbox/command.ts'
import { DEFAULT_LIMITS } from '../../subgraphs/test-execution/runners/sandbox/limits.ts'
import { endedChildrenMs } from './processor-time.ts'
import { format, print, summarize } from './samples.ts'

const STARTS = 30

/** The walls of version 0.1.0. */
const FEWER_WALLS = [
  ...['setpriv', '--no-new-privs', '--pdeathsig', 'KILL', '--'],
  ...['sh', '-c', 'ulimit -c 0; ulimit -f 0; ulimit -n 64; exec "$@"', 'sh'],
  ...['unshare', '--user', '--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--'],
]

/** What a sandboxed process costs that gets no work, in turns with variants of it. */
export async function benchSandboxStart(): Promise<void> {
  print(`\n## ${STARTS} sandboxed processes of each kind, from start to end, without work`)
  const command = sandboxCommand(await detectCapabilities('best-effort'), DEFAULT_LIMITS)
  const node = [process.execPath, ...command.slice(command.indexOf('--') + 2)]
  const variants = new Map([
    ['as it is', command],
    ['behind user, network and PID namespace alone, made by util-linux', [...FEWER_WALLS, ...node]],
    ['with a random seed for hashing', command.filter((arg) => arg !== '--no-rehash-snapshot')],
    ['with `node --eval 0` in its place', [process.execPath, '--eval', '0']],
  ])
  const samples = new Map(
    [...variants.keys()].map((name) => [name, { cpu: 0, ms: [] as number[] }]),
  )
  for (let start = 0; start < STARTS; start++)
    for (const [name, variant] of variants) {
      const sample = samples.get(name)
      if (!sample) continue
      const [begin, before] = [performance.now(), await endedChildrenMs()]
      await run(variant)
      sample.ms.push(performance.now() - begin)
      sample.cpu += (await endedChildrenMs()) - before
    }
  for (const [name, { cpu, ms }] of samples)
    print(
      `${format(cpu / STARTS)} ms of processor time, p50 ${format(summarize(ms).p50)} ms: ${name}`,
    )
}

async function run([program = '', ...args]: string[]): Promise<void> {
  const child = spawn(program, args, { env: {}, cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`It ended with ${code}`)
}
