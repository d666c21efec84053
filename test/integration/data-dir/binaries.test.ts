import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chooseAccount } from '../../../platform/data-dir/postgres-account.ts'
import { locateBinaries } from '../../../platform/data-dir/postgres-binaries.ts'

const version = `0.0.0-test-${randomBytes(4).toString('hex')}`
const copy = `/var/cache/assay/postgres-${version}`
const VERSION = /^postgres \(PostgreSQL\) \d+/
let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'assay-root-only-'))
})
afterEach(async () => {
  await rm(home, { recursive: true })
  await rm(copy, { recursive: true, force: true })
})

test('programs are used where they are installed by whoever may enter that folder', async () => {
  const { postgres } = await locateBinaries(undefined)
  expect(String(execFileSync(postgres, ['--version']))).toMatch(VERSION)
})

// Only root lends an account.
if (process.getuid?.() === 0)
  test('programs in a folder that only root can enter are copied aside once', async () => {
    const account = await chooseAccount(home)
    if (!account) throw new Error('root needs an account to lend')
    const { postgres } = await locateBinaries(undefined)
    await cp(dirname(dirname(postgres)), join(home, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    await writeFile(join(home, 'package.json'), JSON.stringify({ version }))
    const installed = {
      initdb: join(home, 'native/bin/initdb'),
      postgres: join(home, 'native/bin/postgres'),
    }

    const [found, raced] = await Promise.all([
      locateBinaries(account, installed),
      locateBinaries(account, installed),
    ])
    expect(found.postgres).toBe(`${copy}/bin/postgres`)
    expect(raced).toEqual(found)
    const { uid, gid } = account
    const run = () => String(execFileSync(found.postgres, ['--version'], { uid, gid, cwd: '/' }))
    expect(run()).toMatch(VERSION)

    const { ino } = await stat(copy)
    await locateBinaries(account, installed)
    expect((await stat(copy)).ino).toBe(ino)

    await chmod(copy, 0o777) // somebody else may have put anything there
    await locateBinaries(account, installed)
    expect((await stat(copy)).ino).not.toBe(ino)
    expect((await stat(copy)).mode & 0o777).toBe(0o755)
  })
