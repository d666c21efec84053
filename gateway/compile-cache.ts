import { enableCompileCache, findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Imported before everything else: what is compiled now is not compiled by the next start. Node keeps entries of each
 * version and user apart, replaces files in one step, and goes on without where it cannot write; NODE_COMPILE_CACHE
 * names another folder, NODE_DISABLE_COMPILE_CACHE=1 turns it off.
 */
const manifest = findPackageJSON(import.meta.url)
if (manifest) enableCompileCache(join(dirname(manifest), 'node_modules/.cache/assay'))
