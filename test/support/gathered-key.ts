import { type FieldNode, type OperationDefinitionNode, parse } from 'graphql'
import { gatheredKeyOf } from '../../gateway/federation/planning/response-key.ts'

/** Key under which a subgraph answers a client's field, such as `name: title(short: true)`. */
export function keyFor(field: string): string {
  const [operation] = parse(`{ ${field} }`).definitions as OperationDefinitionNode[]
  return gatheredKeyOf(operation?.selectionSet.selections[0] as FieldNode)
}
