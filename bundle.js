import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { build } from 'esbuild'

/** Loaded at run time: compiled for one machine, or asked for by a dependency that does without. */
const EXTERNAL = ['@node-rs/argon2', 'amaro', 'class-validator', '@babel/preset-typescript']

/** CommonJS packages ask for what Node brings with it. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

/**
 * Bundles programs with all that they import into one folder: a start then reads a few files instead of one for each module.
 * Types are not checked.
 * @param entryPoints source files by the name of the program
 * @param plugins of esbuild that come before ours
 */
export const bundle = (entryPoints, outdir, plugins = []) =>
  build({
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

/** What a process for tasks runs is a program of the bundle, beside the others. */
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
