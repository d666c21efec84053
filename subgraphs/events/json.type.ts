import { GraphQLScalarType } from 'graphql'
import { GraphQLJSON } from 'graphql-scalars'
import { exactLiteral } from '../../formats/graphql/exact-literal.ts'

/** Any JSON; numbers keep their digits. */
export const ExactJson = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  parseLiteral: exactLiteral,
})
