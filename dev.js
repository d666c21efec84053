// Program of `npm run dev`: builds, serves, and does both again after each change of a source file. The embedded
// database runs on meanwhile, and a change compiles our own code only. Arguments are options of Node for the product.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, rmSync, statSync, watch } from 'node:fs'
import './build.js'
import { bundleAgain } from './bundle.js'
import { allInOneConfig } from './gateway/config.ts'
import { openDatabase } from './gateway/database.ts'
import { createLogger } from './platform/process/logger.ts'

const WATCHED = [
  'gateway',
  'subgraphs',
  'runner',
  'platform',
  'rest-bridge',
  'formats',
  'schema',
  'examples',
]
/** Changes are served from here; what is built for all others stays as it is. */
const FOLDER = `dist.dev.${process.pid}`
/** The product and the processes that it starts. */
const PROGRAMS = {
  'gateway.main': 'gateway/main.ts',
  'yaml-process.main': 'gateway/http/body/yaml-process.ts',
  'planning-process.main': 'gateway/planning/planning-process.ts',
  'evaluation-process.main': 'runner/evaluation/evaluation-process.ts',
}
/** An editor writes a file in several steps. */
const GATHER_MS = 30

if (existsSync('.env')) process.loadEnvFile('.env')
const config = allInOneConfig(process.env)
const database = await openDatabase(config, createLogger(config.logLevel))
let product = start('dist')
/** Changes are served one after the other. */
let served = prepare()
let gathering
let isEnding = false

for (const folder of WATCHED)
  watch(folder, { recursive: true }, (_event, file) => {
    const path = `${folder}/${file}`
    const isRead = !path.endsWith('.ts') && statSync(path, { throwIfNoEntry: false })?.isFile()
    if (isRead) void served.then(() => cpSync(path, `${FOLDER}/${path}`))
    clearTimeout(gathering)
    gathering = setTimeout(() => (served = served.then(serveAgain)), GATHER_MS)
  })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end)

function start(folder) {
  const { url, secretsKey, previousSecretsKey, callbackSigningSecret } = database
  const env = {
    ...process.env,
    DATABASE_URL: url,
    SECRETS_KEY: secretsKey,
    ...(previousSecretsKey && { SECRETS_KEY_PREVIOUS: previousSecretsKey }),
    CALLBACK_SIGNING_SECRET: callbackSigningSecret,
  }
  const args = [...process.argv.slice(2), `${folder}/gateway.js`]
  return spawn(process.execPath, args, { env, stdio: 'inherit' })
}

/** Whatever a change needs is compiled before the first one. */
async function prepare() {
  cpSync('dist', FOLDER, { recursive: true })
  return bundleAgain(PROGRAMS, FOLDER)
}

/** Code that does not compile leaves the product as it is; esbuild has printed what is wrong with it. */
async function serveAgain(own) {
  const compiled = await own.rebuild().catch(() => null)
  if (!compiled || isEnding) return own
  await stop()
  product = start(FOLDER)
  return own
}

async function stop() {
  if (product.exitCode !== null || product.signalCode !== null) return
  product.kill('SIGTERM')
  await once(product, 'exit')
}

async function end() {
  if (isEnding) return
  isEnding = true
  await stop()
  await database.stop()
  rmSync(FOLDER, { recursive: true, force: true })
  process.exit()
}
