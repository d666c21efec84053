import { createHash } from 'node:crypto'
import { type GraphQLSchema, printSchema } from 'graphql'
import { AppError } from '../../../formats/errors.ts'
import { requirePermission } from '../../../platform/access/guard.ts'
import { ANYONE } from '../../../platform/access/rules.ts'
import { namesTag } from '../../../rest-bridge/entity-tag.ts'
import type { ClientOperations } from '../../operations/client-operations.ts'
import { codingFor, tagOf } from '../compression.ts'
import { textResponse } from '../http-message.ts'
import { type Destination, readable } from '../router.ts'

/** The schema that clients see, as SDL with an entity tag: for code generators and checks. */
export function schemaDestination(
  operations: Pick<ClientOperations, 'schema' | 'rules'>,
): Destination {
  /** Printed once for each version. */
  let printed: { of: GraphQLSchema; text: string; tag: string } | undefined
  return readable('/graphql/schema', {
    handle({ caller, headers }) {
      requirePermission(caller, ANYONE)
      const { introspection, trustedOnly } = operations.rules
      if (!introspection || trustedOnly)
        throw new AppError(
          'FORBIDDEN',
          `The schema is not shown here (${introspection ? 'TRUSTED_DOCUMENTS_ONLY is on' : 'INTROSPECTION is off'})`,
        )
      const { schema } = operations
      if (printed?.of !== schema) {
        const text = `${printSchema(schema)}\n`
        const hash = createHash('sha256').update(text).digest('hex').slice(0, 32)
        printed = { of: schema, text, tag: `"${hash}"` }
      }
      const { text, tag } = printed
      const whole = textResponse({
        ...{ status: 200, body: text, mediaType: 'application/graphql' },
        headers: { ETag: tag },
      })
      if (!namesTag(headers['if-none-match'], tag)) return whole
      const ETag = tagOf(tag, codingFor(headers, whole))
      return textResponse({ status: 304, body: undefined, headers: { ETag } })
    },
  })
}
