import { type QueryPlanSelectionNode, trimSelectionNodes } from '@apollo/query-planner'
import {
  type InterfaceTypeDefinitionNode,
  type ObjectTypeDefinitionNode,
  type OperationDefinitionNode,
  parse,
} from 'graphql'

/** A type whose fields may have field sets. */
export type Composite = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode

/** Parses a field set such as `id owner { id }`. */
export function parseFieldSet(fieldSet: string): OperationDefinitionNode {
  const [operation] = parse(`{${fieldSet}}`, { noLocation: true }).definitions
  return operation as OperationDefinitionNode
}

export const selectionsOf = ({ selectionSet }: OperationDefinitionNode): QueryPlanSelectionNode[] =>
  trimSelectionNodes(selectionSet.selections)
