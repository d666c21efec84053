import type { FieldNode } from 'graphql'

/**
 * Keys under which the gateway gathers data. They are its own wherever two fields could meet at one key: a field of
 * the client that has arguments or an alias, and a required field with arguments. No field of a schema starts with two
 * underscores, so the client's keys clash with none.
 */
const CLIENT = '__c_'
const REQUIRED = /^_r[0-9a-f]{8}_/

/** A variable of the client that has the name which plans use for themselves. */
export const REPRESENTATIONS = { plans: 'representations', clients: `${CLIENT}representations` }

/** Where the value of a client's field is gathered. A type name is the same under every alias. */
export function gatheredKeyOf({ name, alias, arguments: args }: FieldNode): string {
  if (name.value === '__typename') return name.value
  if (name.value.startsWith('__')) return (alias ?? name).value
  return alias || args?.length ? CLIENT + (alias ?? name).value : name.value
}

/** The field that stands for a required field with certain arguments; `hash` identifies them. */
export const requiredKeyOf = (name: string, hash: string): string => `_r${hash.slice(0, 8)}_${name}`

/** The key that clients and subgraphs know, for one under which data are gathered. */
export function knownKeyOf(key: string): string {
  if (!key.startsWith('_')) return key
  return key.startsWith(CLIENT) ? key.slice(CLIENT.length) : key.replace(REQUIRED, '')
}
