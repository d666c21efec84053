import { budget, startPool } from './pool.ts'

/** For a test that kills it: its task loops for ever. */
const pool = startPool()
await pool.run('echo', 1, budget())
pool.run('loop', null, budget(600_000)).catch(() => {})
process.stdout.write('loops\n')
