import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  isAbstractType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql'
import { fragmentsOf } from '../../../formats/graphql/documents.ts'
import { deferIdOf } from '../defer/deferred-fragments.ts'
import { gatheredKeyOf } from '../planning/response-key.ts'
import { type Condition, type Conditions, conditionsOf } from './conditions.ts'

export interface SelectedField {
  name: string
  /** Key of its value in the gathered data. */
  gatheredKey: string
  type: GraphQLOutputType
  conditions: Conditions
  /** Positions of its occurrences, as `conditions` lists them, among all of the object's. */
  positions: readonly number[]
  /** Selection below it, over all its occurrences. */
  selection: Selection
  nodes: readonly FieldNode[]
}

/** A fragment of an object that is delivered later. */
export interface DeferredSelection {
  /** As `deferIdOf` reads it. */
  id: string
  conditions: Conditions
  selection: Selection
}

interface Occurrence {
  nodes: readonly SelectionNode[]
  /** Those below the object that the selection is about. */
  conditions: readonly Condition[]
}

/** All occurrences of one field in an object. */
interface Occurrences {
  nodes: FieldNode[]
  conditions: Condition[][]
  positions: number[]
}

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>

/** Selections that a response object has to meet; which fields that means depends on its type. */
export class Selection {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: Fragments,
    private readonly occurrences: readonly Occurrence[],
    /** Ids of fragments that are delivered later, and whose fields do not count here. */
    private readonly deferred?: ReadonlySet<string>,
  ) {}

  /** Selection of an operation. */
  static of(
    schema: GraphQLSchema,
    document: DocumentNode,
    { selectionSet }: OperationDefinitionNode,
    deferred?: ReadonlySet<string>,
  ): Selection {
    const occurrence = { nodes: selectionSet.selections, conditions: [] }
    return new Selection(schema, fragmentsOf(document), [occurrence], deferred)
  }

  /** Response key → field, in the order of the operation. */
  fieldsOf(type: GraphQLObjectType | GraphQLInterfaceType): Map<string, SelectedField> {
    return this.partsOf(type).fields
  }

  /** The same, and the fragments that are delivered later. */
  partsOf(type: GraphQLObjectType | GraphQLInterfaceType): {
    fields: Map<string, SelectedField>
    later: DeferredSelection[]
  } {
    const found = new Map<string, Occurrences>()
    const later = new Map<string, Occurrence[]>()
    let position = 0
    const collect = ({ nodes, conditions }: Occurrence): void => {
      for (const node of nodes) {
        const own = conditionsOf(node.directives)
        if (!own) continue
        const all = [...conditions, ...own]
        if (node.kind === Kind.FIELD) {
          const key = (node.alias ?? node.name).value
          const field = found.get(key) ?? { nodes: [], conditions: [], positions: [] }
          field.nodes.push(node)
          field.positions.push(position++)
          field.conditions.push(all)
          found.set(key, field)
        } else {
          const fragment =
            node.kind === Kind.INLINE_FRAGMENT ? node : this.fragments[node.name.value]
          if (!fragment || !this.#applies(fragment.typeCondition?.name.value, type)) continue
          const id = this.deferred && deferIdOf(node)
          const occurrence = { nodes: fragment.selectionSet.selections, conditions: all }
          if (id === undefined || !this.deferred?.has(id)) collect(occurrence)
          else later.set(id, [...(later.get(id) ?? []), occurrence])
        }
      }
    }
    for (const occurrence of this.occurrences) collect(occurrence)

    const fields = new Map<string, SelectedField>()
    for (const [key, { nodes, conditions, positions }] of found) {
      const [node] = nodes as [FieldNode]
      const occurrences = nodes.flatMap(({ selectionSet }, index) =>
        selectionSet
          ? [{ nodes: selectionSet.selections, conditions: conditions[index] ?? [] }]
          : [],
      )
      fields.set(key, {
        name: node.name.value,
        gatheredKey: gatheredKeyOf(node),
        type: type.getFields()[node.name.value]?.type ?? GraphQLString,
        conditions: conditions.every((all) => all.length === 0) ? null : conditions,
        positions,
        selection: this.#below(occurrences),
        nodes,
      })
    }
    return {
      fields,
      later: [...later].map(([id, occurrences]) => ({
        id,
        conditions: occurrences.map(({ conditions }) => conditions),
        selection: this.#below(occurrences),
      })),
    }
  }

  #below(occurrences: readonly Occurrence[]): Selection {
    return new Selection(this.schema, this.fragments, occurrences, this.deferred)
  }

  #applies(condition: string | undefined, type: GraphQLObjectType | GraphQLInterfaceType): boolean {
    if (condition === undefined || condition === type.name) return true
    const conditionType = this.schema.getType(condition)
    return isAbstractType(conditionType) && this.schema.isSubType(conditionType, type)
  }
}
