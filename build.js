// Compiles the product into dist/, unless dist/ is up to date. It appears in one step, so that several processes may
// be started at once, and one that runs already is left alone.
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
import { bundle, bundleFile } from './bundle.js'
import { commandPackage } from './command-package.js'
import { revisionOf } from './revision.js'
import { copyWeb } from './web/build.js'

const CODE = [
  'gateway',
  'subgraphs',
  'runner',
  'platform',
  'rest-bridge',
  'formats',
  'schema',
  'backup',
  'cli',
]
const GRAPHIQL = 'node_modules/@graphql-yoga/render-graphiql/package.json'
/** Files of the package that the explorer's page loads. */
const SWAGGER_UI = [
  'favicon-32x32.png',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
]
const SOURCES = [
  'build.js',
  'bundle.js',
  'command-package.js',
  'revision.js',
  'emit-schema.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  GRAPHIQL,
  ...[...CODE, 'web', 'examples'].map((folder) => `${folder}/**`),
]

/** The programs in `dist`, and where each begins. */
const PROGRAMS = {
  gateway: 'gateway/main.ts',
  events: 'subgraphs/events/main.ts',
  'test-execution': 'subgraphs/test-execution/main.ts',
  worker: 'subgraphs/test-execution/worker.ts',
  accounts: 'subgraphs/accounts/main.ts',
  'accounts-command': 'subgraphs/accounts/cli.ts',
  'reseal-command': 'subgraphs/test-execution/reseal/cli.ts',
  backup: 'backup/main.ts',
  'emit-schema': 'emit-schema.ts',
  'yaml-process': 'gateway/http/body/yaml-process.ts',
  'planning-process': 'gateway/planning/planning-process.ts',
  'evaluation-process': 'runner/evaluation/evaluation-process.ts',
}

/** npm's commands run the Node.js that npm has installed here; a program that is typed may meet an older one. */
const NODE = Number.parseInt(process.version.slice(1), 10)

/**
 * Code compiled by one start is not compiled by the next. Node keeps entries of each version and user apart,
 * replaces files in one step, and goes on without where it cannot write; NODE_COMPILE_CACHE names another folder,
 * NODE_DISABLE_COMPILE_CACHE=1 turns it off.
 */
const START = `import module from 'node:module'
import { join } from 'node:path'
if (Number.parseInt(process.version.slice(1)) < ${NODE}) {
  console.error('Assay needs Node.js ${NODE}, and this is ' + process.version + '. Put "npx " before the command: npm has installed that version here')
  process.exit(1)
}
module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/assay'))
`

const stamp = stampOf(globSync(SOURCES).sort())
if (stamp !== textOf('dist/.stamp')) await build()
noteRevision()

async function build() {
  const fresh = `dist.${process.pid}`
  const old = `${fresh}.old`
  const started = Object.entries(PROGRAMS).map(([name, source]) => [`${name}.main`, source])
  await bundle(Object.fromEntries(started), fresh)
  for (const name of Object.keys(PROGRAMS))
    writeFileSync(`${fresh}/${name}.js`, `${START}await import('./${name}.main.js')\n`)
  await bundleFile('cli/main.ts', `${fresh}/assay.js`)
  const own = JSON.parse(readFileSync('package.json', 'utf8'))
  const texts = {
    'assay.js': readFileSync(`${fresh}/assay.js`, 'utf8'),
    'assay.d.ts': readFileSync('cli/json.ts', 'utf8'),
    'README.md': readFileSync('cli/README.md', 'utf8'),
    LICENSE: readFileSync('LICENSE', 'utf8'),
  }
  writeFileSync(`${fresh}/assay.tgz`, commandPackage(texts, own))
  // Files that are read at run time keep their place.
  for (const file of globSync(CODE.map((folder) => `${folder}/**/*.{graphql,js,json,pl}`)))
    cpSync(file, `${fresh}/${file}`)
  cpSync('examples', `${fresh}/examples`, { recursive: true })
  for (const name of SWAGGER_UI)
    cpSync(`node_modules/swagger-ui-dist/${name}`, `${fresh}/swagger-ui/${name}`)
  await bundleGraphiql(`${fresh}/graphiql`)
  await copyWeb(`${fresh}/web`)
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

/** Apart from the code: a commit alone compiles nothing. */
function noteRevision() {
  const revision = revisionOf('.')
  if (!revision || revision === textOf('dist/revision')) return
  const draft = `dist.${process.pid}.revision`
  writeFileSync(draft, revision)
  rename(draft, 'dist/revision', 'ENOENT')
  rmSync(draft, { force: true })
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
