import { createHash } from 'node:crypto'
import { type ArgumentNode, type FieldNode, print, visit } from 'graphql'

/**
 * Keys under which the gateway gathers data. They are its own wherever two fields could meet at one key: a field of
 * the client that has arguments or an alias, and a required field with arguments. No field of a schema starts with two
 * underscores, so the client's keys clash with none. They identify the field and its arguments: types that clients must
 * not mix up may be one type in a subgraph that knows their interface as an object.
 */
const CLIENT = '__c_'
const OF_CLIENT = /^__c_[0-9a-f]{8}_/
const REQUIRED = /^_r[0-9a-f]{8}_/

/** True for names of variables that plans use for themselves. */
export const isOfPlans = (name: string): boolean =>
  /^(representations|contextualArgument_\d+_\d+)$/.test(name)

/** A variable of the client that has such a name. */
export const clientVariable = (name: string): string => CLIENT + name

/** Key under which the value of a client's field is gathered. A type name is the same under every alias. */
export function gatheredKeyOf({ name, alias, arguments: args }: FieldNode): string {
  if (name.value === '__typename') return name.value
  if (name.value.startsWith('__')) return (alias ?? name).value
  if ((alias ?? name).value === name.value && !args?.length) return name.value
  return `${CLIENT}${hashOf(name.value, args)}_${(alias ?? name).value}`
}

/** The field that stands for a required field with certain arguments. */
export const requiredKeyOf = (name: string, args: readonly ArgumentNode[]): string =>
  `_r${hashOf('', args)}_${name}`

const hashOf = (name: string, args: readonly ArgumentNode[] = []): string => {
  const text =
    name +
    [...args]
      .map((one) => print(withSortedFields(one)))
      .sort()
      .join()
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/** Objects are the same in any order of their fields. */
const withSortedFields = (argument: ArgumentNode): ArgumentNode =>
  visit(argument, {
    ObjectValue: {
      leave: ({ fields, ...node }) => ({
        ...node,
        fields: fields.toSorted((one, other) => (one.name.value < other.name.value ? -1 : 1)),
      }),
    },
  })

/** The key that clients and subgraphs know, for one under which data are gathered. */
export function knownKeyOf(key: string): string {
  if (!key.startsWith('_')) return key
  return key.replace(key.startsWith(CLIENT) ? OF_CLIENT : REQUIRED, '')
}
