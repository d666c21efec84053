import { stringify } from 'yaml'
import { ExactNumber } from '../graph/exact.ts'

/** The keys of a scenario in the order in which people write them: the database keeps no order. */
const ORDER = [
  'id name variables dataset stubs setup steps teardown if function',
  'method url headers args body path assert value',
  'call http graphql command wait parallel scenario capture expect',
].flatMap((keys) => keys.split(' '))

const rankOf = ({ key }: { key: unknown }): number => {
  const rank = ORDER.indexOf(String(key))
  return rank < 0 ? ORDER.length : rank
}

/** YAML writes integers of any size. */
const exactly = (_key: unknown, value: unknown): unknown =>
  value instanceof ExactNumber && /^-?\d+$/.test(String(value)) ? BigInt(String(value)) : value

/** YAML of a form's fields, above its text. */
export const withFields = (fields: object, text: string): string => `${yamlOf(fields)}\n${text}`

/** A scenario, or another value, as YAML that is the same for equal values. */
export const yamlOf = (value: unknown): string =>
  stringify(value, exactly, {
    compat: 'yaml-1.1', // texts are copied into files, which other tools read
    sortMapEntries: (a, b) =>
      rankOf(a) - rankOf(b) || String(a.key).localeCompare(String(b.key), 'en'),
  })
