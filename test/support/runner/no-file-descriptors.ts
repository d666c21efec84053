import { closeSync, openSync } from 'node:fs'
import { runProgram } from '../../../runner/steps/program.ts'

/** For a test that gives it few file descriptors: prints why programs are not started once there are none, and are after. */
const program = {
  program: 'true',
  args: [],
  env: {},
  folder: '/',
  stdin: '',
  behind: {
    limits: { processes: 64, openFiles: 64, fileMebibytes: 1, memoryMebibytes: 64 },
    hidden: [],
  },
}
const { signal } = new AbortController()
const start = (walls: ReadonlySet<'nnp'>) =>
  runProgram({ ...program, behind: { ...program.behind, walls } }, () => {}, signal).then(
    ({ exitCode }) => exitCode,
    (error) => error.code,
  )
const WALLS = [new Set(['nnp'] as const), new Set<'nnp'>()]
const results: unknown[] = []
const startAll = async () => {
  for (const walls of WALLS) results.push(await start(walls))
}

await startAll() // what is read on first use has its descriptors
const open: number[] = []
try {
  for (;;) open.push(openSync('/dev/null', 'r'))
} catch {
  await startAll()
}
for (const each of open) closeSync(each)
await startAll()
process.stdout.write(JSON.stringify(results))
