import type { FetchNode } from '@apollo/query-planner'
import {
  type DocumentNode,
  Kind,
  print,
  stripIgnoredCharacters,
  type VariableDefinitionNode,
  visit,
} from 'graphql'
import { knownKeyOf } from '../../planning/response-key.ts'
import type { RequiredArguments } from './required-fields.ts'

/** A fetch that names the real fields again, and only the variables that it uses. */
export function withRealFields(
  node: FetchNode,
  required: RequiredArguments,
  document: DocumentNode,
): FetchNode {
  const real: DocumentNode = visit(document, {
    Field(field) {
      const args = required.get(field.name.value)
      const name = { ...field.name, value: knownKeyOf(field.name.value) }
      return args && { ...field, alias: field.alias ?? field.name, name, arguments: args }
    },
  })
  const used = new Set<string>()
  visit(real, {
    VariableDefinition: () => false,
    Variable: ({ name }) => {
      used.add(name.value)
    },
  })
  const isUsed = ({ variable }: VariableDefinitionNode) => used.has(variable.name.value)
  const definitions = real.definitions.map((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? { ...definition, variableDefinitions: definition.variableDefinitions?.filter(isUsed) }
      : definition,
  )
  const operation = stripIgnoredCharacters(print({ ...real, definitions }))
  const variableUsages = node.variableUsages?.filter((name) => used.has(name))
  return { ...node, operation, ...(variableUsages ? { variableUsages } : {}) }
}
