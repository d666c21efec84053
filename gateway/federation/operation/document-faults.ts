import { type DocumentNode, GraphQLError, type GraphQLSchema, validate } from 'graphql'
import { DOCUMENT_RULES } from '../../../formats/graphql/document-rules.ts'
import { deferFaults } from '../defer/deferred-fragments.ts'
import { conditionalStreams } from './conditional-streams.ts'

/** Finds why a document is not valid. @param mayDefer false where it cannot use `@defer` */
export function faultsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  mayDefer: boolean,
): GraphQLError[] {
  const conditional = conditionalStreams(document)
  const errors =
    conditional.length > 0
      ? conditional
      : [...validate(schema, document, DOCUMENT_RULES), ...(mayDefer ? deferFaults(document) : [])]
  return errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED'))
}

export const withCode = (
  { message, nodes, source, positions, extensions }: GraphQLError,
  code: string,
) => new GraphQLError(message, { nodes, source, positions, extensions: { code, ...extensions } })
