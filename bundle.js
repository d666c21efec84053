import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { relative } from 'node:path'
import { build, context } from 'esbuild'

/** Packages loaded at run time: compiled for one machine, or large and rarely needed. */
export const RUNTIME_PACKAGES = ['@node-rs/argon2', 'amaro']

/** Those, and packages that dependencies do without. */
const EXTERNAL = [...RUNTIME_PACKAGES, 'class-validator', '@babel/preset-typescript']

/** CommonJS packages ask for what Node brings with it. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

/** @param plugins of esbuild that come before ours */
const optionsFor = (entryPoints, outdir, plugins = []) => ({
  entryPoints,
  outdir,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: EXTERNAL,
  chunkNames: '[name]-[hash]', // beside the programs, as `ownFolder` expects
  sourcemap: 'linked',
  sourcesContent: false,
  // GraphQL.js leaves out checks that are for development only.
  define: { 'process.env.NODE_ENV': '"production"' },
  banner: {
    js: REQUIRE,
  },
  plugins: [...plugins, ownFolder],
  logLevel: 'warning',
})

/**
 * Bundles programs with all that they import into one folder: a start then reads a few files instead of one for each module.
 * Types are not checked.
 * @param entryPoints source files by the name of the program
 * @param plugins of esbuild that come before ours
 */
export const bundle = (entryPoints, outdir, plugins) =>
  build(optionsFor(entryPoints, outdir, plugins))

/**
 * The same for `npm run dev`: a context of esbuild for programs without their packages, which are bundled once, into
 * `outdir/packages`. Each rebuild then takes as long as our own code.
 */
export async function bundleAgain(entryPoints, outdir) {
  const packages = new Set()
  const apart = {
    name: 'packages-apart',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        const staysAway = EXTERNAL.some((name) => path.startsWith(name))
        if (kind === 'entry-point' || isBuiltin(path) || staysAway) return undefined
        packages.add(path)
        return { path: `./packages/${fileOf(path)}.js`, external: true }
      }),
  }
  // GraphQL types are named after classes, of which two in one file may have the same name.
  const own = await context({ ...optionsFor(entryPoints, outdir, [apart]), keepNames: true })
  await own.rebuild()
  await bundlePackages(packages, `${outdir}/packages`)
  return own
}

async function bundlePackages(packages, outdir) {
  const entryPoints = {}
  mkdirSync(outdir, { recursive: true })
  for (const name of packages) {
    const file = `${outdir}/${fileOf(name)}.mjs`
    writeFileSync(file, await reexport(name))
    entryPoints[fileOf(name)] = file
  }
  await build({ ...optionsFor(entryPoints, outdir), sourcemap: false })
}

/** Names of CommonJS packages are known to Node alone, which finds them by running the package. */
async function reexport(name) {
  const names = Object.keys(await import(name)).map((each) => JSON.stringify(each))
  return `import * as all from '${name}'
const { ${names.map((each, index) => `${each}: _${index}`)} } = all
export { ${names.map((each, index) => `_${index} as ${each}`)} }
`
}

const fileOf = (packageName) => packageName.replaceAll('/', '+')

/** Bundles a program into one file that runs with Node alone, wherever it is copied to. */
export const bundleFile = (entryPoint, outfile) =>
  build({
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['esbuild'],
    banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
    logLevel: 'warning',
  })

/** Programs of processes for tasks, which the bundle holds beside the others. */
const PROCESS_OR_URL = /new URL\('\.\/([\w-]+-process)\.ts', import\.meta\.url\)|import\.meta\.url/g

/** A module finds the files beside it, although its code now stands elsewhere. */
const ownFolder = {
  name: 'own-folder',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (!source.includes('import.meta.url')) return undefined
      const before = `new URL('./${relative(import.meta.dirname, path)}', import.meta.url).href`
      const contents = source.replace(PROCESS_OR_URL, (_found, program) =>
        program ? `new URL('./${program}.js', import.meta.url)` : before,
      )
      return { loader: 'ts', contents }
    }),
}
