import { existsSync, readFileSync } from 'node:fs'
import assay from '../../package.json' with { type: 'json' }

/** The version of the product, as package.json names it. */
export const VERSION: string = assay.version

/** Written by build.js. */
const FILE = new URL('../../revision', import.meta.url)

/** The commit that it was built from; empty where the build did not know it. */
export const REVISION: string = existsSync(FILE) ? readFileSync(FILE, 'utf8') : ''
