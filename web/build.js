// Builds the web client into node_modules/.cache/, once for each version of it. `npm ci` does it in advance.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'esbuild'
import { documentsOf } from './documents.js'

const ROOT = join(import.meta.dirname, '..')
const COMPRESSED = { br: promisify(brotliCompress), gz: promisify(gzip) }
const LEVELS = { br: { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }, gz: { level: 9 } }

/** Options of esbuild for a release. */
export const bundleOptions = (outdir) => ({
  absWorkingDir: ROOT,
  entryPoints: { app: 'web/src/main.tsx', icon: 'web/icon.svg' },
  loader: { '.svg': 'copy', '.woff2': 'file' },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2023',
  jsx: 'automatic',
  minify: true,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
  metafile: true,
  logLevel: 'warning',
})

/** The page that loads a bundle. `{{…}}` are filled in by the gateway. */
export function pageOf({ outputs }) {
  const [entry, { imports, cssBundle }] = Object.entries(outputs).find(
    ([, { entryPoint }]) => entryPoint === 'web/src/main.tsx',
  )
  const urlOf = (path) => `/assets/${path.split('/').at(-1)}`
  const links = imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => `<link rel="modulepreload" href="${urlOf(path)}">`)
  const assetOf = (suffix) => urlOf(Object.keys(outputs).find((path) => path.endsWith(suffix)))
  return readFileSync(join(ROOT, 'web/index.html'), 'utf8').replace(
    '<!-- assets -->',
    [
      `<link rel="icon" type="image/svg+xml" href="${assetOf('.svg')}">`,
      // Early enough to be there with the first text, so that nothing moves.
      `<link rel="preload" as="font" type="font/woff2" href="${assetOf('.woff2')}" crossorigin>`,
      `<link rel="stylesheet" href="${urlOf(cssBundle)}">`,
      ...links,
      `<script type="module" src="${urlOf(entry)}"></script>`,
    ].join('\n'),
  )
}

/** Builds what is not built yet. @returns the folder of the assets, each as it is, as `.br` and as `.gz` */
export async function buildWeb() {
  const cache = join(ROOT, `node_modules/.cache/assay-web-${stampOf()}`)
  if (existsSync(cache)) return cache
  const fresh = `${cache}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  const { metafile } = await build(bundleOptions(fresh))
  await Promise.all(readdirSync(fresh).map((name) => compress(join(fresh, name))))
  writeFileSync(join(fresh, 'page.html'), pageOf(metafile))
  const documents = await documentsOf(join(ROOT, 'web/src/graph/generated.ts'))
  writeFileSync(join(fresh, 'documents.json'), JSON.stringify(documents))
  writeFileSync(join(fresh, 'metafile.json'), JSON.stringify(metafile))
  try {
    renameSync(fresh, cache)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error
    rmSync(fresh, { recursive: true, force: true })
  }
  return cache
}

async function compress(file) {
  const text = readFileSync(file)
  for (const [suffix, by] of Object.entries(COMPRESSED))
    writeFileSync(`${file}.${suffix}`, await by(text, LEVELS[suffix]))
}

/** Stamp of the contents: a clone has other times than the folder it was made from. */
function stampOf() {
  const digest = createHash('sha256')
  const files = readdirSync(join(ROOT, 'web'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  for (const file of [join(ROOT, 'package-lock.json'), ...files.sort()])
    digest.update(`${file.slice(ROOT.length)}\n`).update(readFileSync(file))
  return digest.digest('hex').slice(0, 16)
}

/** Copies the built client. */
export async function copyWeb(folder) {
  cpSync(await buildWeb(), folder, { recursive: true })
}

if (process.argv[1] === import.meta.filename) await buildWeb()
