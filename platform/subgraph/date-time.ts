import { GraphQLError, GraphQLScalarType, Kind } from 'graphql'
import { GraphQLDateTimeISO } from 'graphql-scalars'

const iso = GraphQLDateTimeISO.toConfig()

/**
 * A point in time as ISO 8601 text; text, so that it is the same over local and remote links. Offsets may lack the colon,
 * as REST writes them. PostgreSQL reads the years 1 to 9999 of what is written so.
 */
export const DATE_TIME = new GraphQLScalarType<Date, Date | string | number>({
  ...iso,
  name: 'DateTime',
  parseValue,
  parseLiteral: (node, variables) =>
    node.kind === Kind.STRING ? parseValue(node.value) : iso.parseLiteral(node, variables),
})

/** @throws GraphQLError */
function parseValue(value: unknown): Date {
  const time = iso.parseValue(
    typeof value === 'string' ? value.replace(/(T.*[+-]\d\d)(\d\d)$/i, '$1:$2') : value,
  )
  const year = time.getUTCFullYear()
  if (year >= 1 && year <= 9_999) return time
  throw new GraphQLError(`DateTime cannot represent a time of the year ${year}`)
}
