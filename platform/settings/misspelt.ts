import { closestMatch } from 'leven'
import type { Env } from './env.ts'
import { fileVariableOf } from './setting.ts'
import { VARIABLES } from './variables.ts'

export interface Misspelt {
  setting: string
  /** The setting that was probably meant; null where none is near. */
  nearest: string | null
}

const NAMES = Object.entries(VARIABLES).flatMap(([name, { isSecret }]) =>
  isSecret ? [name, fileVariableOf(name)] : [name],
)
const PREFIX = /^ASSAY_/i
/** Variables that clients of Assay read, such as examples/clients. */
const OF_CLIENTS = /^ASSAY_(URL|TOKEN|CREDENTIALS|LOGIN|FORMER_LOGIN|TIMEOUT)$/
/** Letters that a name may differ in. Short names lie near to those of other programs: HOME to HOST. */
const maxDistanceOf = ({ length }: string): number => (length < 6 ? 0 : length < 9 ? 1 : 2)

/** Settings that the version before had. */
const GONE = ['SUBGRAPH_PIPELINING']

export const goneSettings = (env: Env): string[] => GONE.filter((name) => env[name] !== undefined)

/** Names in the environment that no setting has, and that look as if they were meant for Assay. */
export const misspelt = (env: Env): Misspelt[] =>
  Object.keys(env)
    .filter((name) => !NAMES.includes(name) && !OF_CLIENTS.test(name))
    .flatMap((setting) => {
      const meant = setting.replace(PREFIX, '').toUpperCase()
      const nearest = NAMES.includes(meant) ? meant : near(meant)
      return nearest || PREFIX.test(setting) ? [{ setting, nearest }] : []
    })

const near = (name: string): string | null =>
  closestMatch(name, NAMES, { maxDistance: maxDistanceOf(name) }) ?? null
