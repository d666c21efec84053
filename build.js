// Compiles the product into dist/, unless dist/ is up to date. It appears in one step, so that several processes may
// be started at once, and one that runs already is left alone.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'

const CODE = ['gateway', 'subgraphs', 'rest-bridge', 'schema']
const SOURCES = ['.swcrc', 'build.js', ...[...CODE, 'examples'].map((folder) => `${folder}/**`)]

const stamp = stampOf(globSync(SOURCES).sort())
if (stamp !== builtStamp()) build()

function build() {
  const fresh = `dist.${process.pid}`
  const old = `${fresh}.old`
  const options = ['--out-dir', fresh, '--copy-files', '--config-file', '.swcrc', '--quiet']
  execFileSync(process.execPath, ['node_modules/@swc/cli/bin/swc.js', ...CODE, ...options], {
    stdio: 'inherit',
  })
  cpSync('examples', `${fresh}/examples`, { recursive: true })
  writeFileSync(`${fresh}/.stamp`, stamp)
  rename('dist', old, 'ENOENT')
  rename(fresh, 'dist', 'ENOTEMPTY', 'EEXIST')
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
}

/** @param accepted what another build at the same time may have caused */
function rename(from, to, ...accepted) {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!accepted.includes(error.code)) throw error
  }
}

function stampOf(paths) {
  const digest = createHash('sha256')
  for (const path of paths) {
    const { mtimeMs, size } = statSync(path)
    digest.update(`${path} ${mtimeMs} ${size}\n`)
  }
  return digest.digest('hex')
}

function builtStamp() {
  try {
    return readFileSync('dist/.stamp', 'utf8')
  } catch {
    return ''
  }
}
