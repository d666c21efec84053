import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRunFolder, removeOldRunFolders } from '../../../runner/run/folder.ts'

/** For a test that runs it as an ordinary user: prints what becomes of run folders that programs closed. */
const linked = join(tmpdir(), 'linked')
mkdirSync(linked)
const CLOSE = 'mkdir -p d/e; touch d/f d/e/g; ln -s "$0" d/link; chmod 0 d/e; chmod 555 "$0" d .'

/** One folder of this process, and one that is named as those of an ended process are. */
async function closedFolders() {
  const [own, old] = [createRunFolder(), createRunFolder()]
  for (const folder of [own, old])
    execFileSync('sh', ['-c', CLOSE, linked], { cwd: await folder.path() })
  const path = await old.path()
  renameSync(path, path.replace(/-\d+-\d+-([^-]+)$/, `-${process.pid}-1-$1`))
  return own
}

async function removed(own: ReturnType<typeof createRunFolder>) {
  return { own: await own.remove(), old: await removeOldRunFolders() }
}

const closed = await removed(await closedFolders())
process.env.TMPDIR = join(tmpdir(), 'sealed')
mkdirSync(tmpdir())
const last = await closedFolders()
await closedFolders()
chmodSync(tmpdir(), 0o555)
const sealed = await removed(last)
chmodSync(tmpdir(), 0o755)
process.stdout.write(JSON.stringify({ closed, sealed, linked: statSync(linked).mode & 0o777 }))
