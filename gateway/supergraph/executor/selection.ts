import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  isAbstractType,
  Kind,
  type SelectionNode,
} from 'graphql'
import { getOwn, type Json } from './own.ts'

/** `@skip` or `@include`, each with the value that its variable must have. */
interface Condition {
  variable: string
  value: boolean
}

/** A field counts when all conditions of one of its occurrences hold. */
export type Conditions = readonly (readonly Condition[])[]

export interface SelectedField {
  name: string
  type: GraphQLOutputType
  conditions: Conditions
  /** What is selected below it, over all its occurrences. */
  selection: Selection
  /** One occurrence, for introspection. */
  node: FieldNode
}

interface Occurrence {
  nodes: readonly SelectionNode[]
  conditions: readonly Condition[]
}

export const included = (conditions: Conditions, variables: Json): boolean =>
  conditions.some((all) =>
    all.every(({ variable, value }) => getOwn(variables, variable) === value),
  )

/** Selections that a response object has to meet; which fields that means depends on its type. */
export class Selection {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>,
    private readonly occurrences: readonly Occurrence[],
  ) {}

  /** Response key → field, in the order of the operation. */
  fieldsOf(type: GraphQLObjectType): Map<string, SelectedField> {
    const byKey = new Map<string, { node: FieldNode; conditions: Condition[][] }>()
    const below = new Map<string, Occurrence[]>()
    const collect = ({ nodes, conditions }: Occurrence): void => {
      for (const node of nodes) {
        const own = conditionsOf(node.directives)
        if (!own) continue
        const all = [...conditions, ...own]
        if (node.kind === Kind.FIELD) {
          const key = (node.alias ?? node.name).value
          const field = byKey.get(key) ?? { node, conditions: [] }
          field.conditions.push(all)
          byKey.set(key, field)
          const occurrences = below.get(key) ?? []
          if (node.selectionSet)
            occurrences.push({ nodes: node.selectionSet.selections, conditions: all })
          below.set(key, occurrences)
        } else {
          const fragment =
            node.kind === Kind.INLINE_FRAGMENT ? node : this.fragments[node.name.value]
          if (fragment && this.#applies(fragment.typeCondition?.name.value, type))
            collect({ nodes: fragment.selectionSet.selections, conditions: all })
        }
      }
    }
    for (const occurrence of this.occurrences) collect(occurrence)

    const fields = new Map<string, SelectedField>()
    for (const [key, { node, conditions }] of byKey) {
      const name = node.name.value
      fields.set(key, {
        name,
        node,
        conditions,
        type: type.getFields()[name]?.type ?? GraphQLString,
        selection: new Selection(this.schema, this.fragments, below.get(key) ?? []),
      })
    }
    return fields
  }

  #applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true
    const conditionType = this.schema.getType(condition)
    return isAbstractType(conditionType) && this.schema.isSubType(conditionType, type)
  }
}

/** @returns null when the selection never counts */
function conditionsOf(directives: readonly DirectiveNode[] = []): Condition[] | null {
  const conditions: Condition[] = []
  for (const { name, arguments: args } of directives) {
    if (name.value !== 'skip' && name.value !== 'include') continue
    const value = args?.find((argument) => argument.name.value === 'if')?.value
    const wanted = name.value === 'include'
    if (value?.kind === Kind.VARIABLE)
      conditions.push({ variable: value.name.value, value: wanted })
    else if (value?.kind === Kind.BOOLEAN && value.value !== wanted) return null
  }
  return conditions
}
