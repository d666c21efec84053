// Compiles the product into dist/, unless dist/ is up to date. It appears in one step, so that several processes may
// be started at once, and one that runs already is left alone.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { gzipSync } from 'node:zlib'

const CODE = ['gateway', 'subgraphs', 'rest-bridge', 'schema']
const GRAPHIQL = 'node_modules/@graphql-yoga/render-graphiql/package.json'
const SOURCES = [
  '.swcrc',
  'build.js',
  GRAPHIQL,
  ...[...CODE, 'examples'].map((folder) => `${folder}/**`),
]

const stamp = stampOf(globSync(SOURCES).sort())
if (stamp !== builtStamp()) await build()

async function build() {
  const fresh = `dist.${process.pid}`
  const old = `${fresh}.old`
  const options = ['--out-dir', fresh, '--copy-files', '--config-file', '.swcrc', '--quiet']
  execFileSync(process.execPath, ['node_modules/@swc/cli/bin/swc.js', ...CODE, ...options], {
    stdio: 'inherit',
  })
  cpSync('examples', `${fresh}/examples`, { recursive: true })
  await bundleGraphiql(`${fresh}/graphiql`)
  writeFileSync(`${fresh}/.stamp`, stamp)
  rename('dist', old, 'ENOENT')
  rename(fresh, 'dist', 'ENOTEMPTY', 'EEXIST')
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
}

/** GraphiQL comes bundled, as texts of a module. It is compressed once for each version. */
async function bundleGraphiql(folder) {
  const { version } = JSON.parse(readFileSync(GRAPHIQL, 'utf8'))
  const cache = `node_modules/.cache/assay-graphiql-${version}`
  if (!existsSync(cache)) {
    const { js, css, editorWorkerService, jsonWorker, graphqlWorker } = await import(
      '@graphql-yoga/render-graphiql/graphiql'
    )
    const files = {
      'graphiql.js': js,
      'graphiql.css': css,
      'editor.worker.js': editorWorkerService,
      'json.worker.js': jsonWorker,
      'graphql.worker.js': graphqlWorker,
    }
    const fresh = `${cache}.${process.pid}`
    mkdirSync(fresh, { recursive: true })
    for (const [name, text] of Object.entries(files))
      writeFileSync(`${fresh}/${name}.gz`, gzipSync(text, { level: 9 }))
    rename(fresh, cache, 'ENOTEMPTY', 'EEXIST')
    rmSync(fresh, { recursive: true, force: true })
  }
  cpSync(cache, folder, { recursive: true })
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
