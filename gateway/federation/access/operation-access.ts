import type { GraphQLOutputType } from 'graphql'
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLNamedType,
  getNamedType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { fragmentsOf } from '../../../formats/graphql/documents.ts'
import type { Json } from '../executor/own.ts'
import type { ValidOperation } from '../operation/operation-rules.ts'
import { type AccessRules, fieldOf, type Requirement } from './access-rules.ts'

/** An operation without what a caller may not have. */
export interface PermittedOperation {
  /** Names what is left out. */
  key: string
  /** Document to plan. Its operation may select nothing. */
  document: DocumentNode
  operation: OperationDefinitionNode
  /** Fields of the whole document that are null for the caller. */
  hidden: ReadonlySet<FieldNode>
  errors: readonly GraphQLError[]
}

/** Requirements of an operation for its callers. */
export interface OperationAccess {
  requirements: readonly Requirement[]
  /** @param denied those that a caller does not meet @param key names them */
  without(denied: ReadonlySet<Requirement>, key: string): PermittedOperation
}

/** @returns undefined for an operation that requires nothing */
export function operationAccess(
  rules: AccessRules,
  { schema, document, operation }: ValidOperation,
): OperationAccess | undefined {
  const root = schema.getRootType(operation.operation)
  if (!root) return undefined
  const fragments = fragmentsOf(document)
  const known = new Map<string, Requirement>()
  /** Equal requirements are one. */
  const unique = (required: readonly Requirement[]): Requirement[] =>
    required.map((each) => {
      const text = JSON.stringify(each)
      const one = known.get(text) ?? each
      known.set(text, one)
      return one
    })
  const requiredBy = new Map<SelectionNode, { required: Requirement[]; type: GraphQLNamedType }>()

  /** Finds what each selection requires, once: the type above a selection follows from its place in the document. */
  function collect(set: SelectionSetNode, type: GraphQLNamedType, seen: Set<string>): void {
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        const field = fieldOf(type, node.name.value)
        if (!field) continue // __typename, and introspection
        const inner = getNamedType(field.type)
        requiredBy.set(node, { required: unique(rules.ofField(type, field)), type: inner })
        if (node.selectionSet) collect(node.selectionSet, inner, seen)
        continue
      }
      const fragment: Pick<FragmentDefinitionNode, 'selectionSet'> & {
        typeCondition?: FragmentDefinitionNode['typeCondition'] | undefined
      } =
        node.kind === Kind.INLINE_FRAGMENT
          ? node
          : (fragments[node.name.value] as FragmentDefinitionNode)
      const inner = schema.getType(fragment.typeCondition?.name.value ?? '') ?? type
      requiredBy.set(node, {
        required: fragment.typeCondition ? unique(rules.ofType(inner)) : [],
        type: inner,
      })
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        if (seen.has(node.name.value)) continue
        seen.add(node.name.value)
      }
      collect(fragment.selectionSet, inner, seen)
    }
  }
  const ofRoot = unique(rules.ofType(root))
  collect(operation.selectionSet, root, new Set())
  if (known.size === 0) return undefined

  function without(denied: ReadonlySet<Requirement>, key: string): PermittedOperation {
    const hidden = new Set<FieldNode>()
    const errors = new Map<string, GraphQLError>()
    const isDenied = (required: readonly Requirement[] = []) =>
      required.some((each) => denied.has(each))
    const refuse = (path: Path) => errors.set(path.join('.'), unauthorized(path))
    const kept = new Map<string, SelectionSetNode | null>()

    const hide = (set: SelectionSetNode | undefined): void => {
      for (const node of set?.selections ?? []) {
        if (node.kind === Kind.FIELD) hidden.add(node)
        else if (node.kind === Kind.INLINE_FRAGMENT) hide(node.selectionSet)
        else hide(fragments[node.name.value]?.selectionSet)
      }
    }

    /** @returns null where nothing is left */
    function permitted(
      set: SelectionSetNode,
      type: GraphQLNamedType,
      path: Path,
    ): SelectionSetNode | null {
      const selections = set.selections.flatMap((node): SelectionNode | [] => {
        const known = requiredBy.get(node)
        if (!known) return node
        if (node.kind === Kind.FIELD) {
          const field = fieldOf(type, node.name.value)
          const at = [...path, (node.alias ?? node.name).value]
          const below =
            node.selectionSet && !isDenied(known.required)
              ? permitted(node.selectionSet, known.type, [...at, ...listsOf(field?.type)])
              : undefined
          if (isDenied(known.required)) refuse(at)
          else if (below !== null) return below ? { ...node, selectionSet: below } : node
          hidden.add(node)
          return []
        }
        const { selectionSet } =
          node.kind === Kind.INLINE_FRAGMENT
            ? node
            : (fragments[node.name.value] as FragmentDefinitionNode)
        if (isDenied(known.required)) {
          refuse(path)
          hide(selectionSet)
          return []
        }
        const below = permitted(selectionSet, known.type, path)
        if (node.kind === Kind.FRAGMENT_SPREAD) kept.set(node.name.value, below)
        if (below === null) return []
        return node.kind === Kind.INLINE_FRAGMENT ? { ...node, selectionSet: below } : node
      })
      return selections.length > 0 ? { ...set, selections } : null
    }

    let left: SelectionSetNode | null = null
    if (root && !isDenied(ofRoot)) left = permitted(operation.selectionSet, root, [])
    else {
      refuse([])
      hide(operation.selectionSet)
    }
    const narrowed = {
      ...operation,
      selectionSet: left ?? { ...operation.selectionSet, selections: [] },
    }
    const definitions = document.definitions.flatMap((definition) => {
      if (definition === operation) return narrowed
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) return []
      const selectionSet = kept.get(definition.name.value)
      return selectionSet ? { ...definition, selectionSet } : []
    })
    return {
      key,
      document: { ...document, definitions },
      operation: narrowed,
      hidden,
      errors: [...errors.values()],
    }
  }

  return { requirements: [...known.values()], without }
}

/** Events of which a caller may not have all have responses of their own. */
export const withKey = (
  denied: string | undefined,
  eventKey: (variables: Json) => string,
): ((variables: Json) => string) =>
  denied === undefined ? eventKey : (variables) => `${denied}\n${eventKey(variables)}`

type Path = readonly string[]

/** The step of a path that stands for every item of a list, as other gateways write it. */
const EVERY = '@'

function listsOf(type: GraphQLOutputType | undefined): string[] {
  if (!type || !('ofType' in type)) return []
  return [...(isListType(type) ? [EVERY] : []), ...listsOf(type.ofType)]
}

const unauthorized = (path: Path): GraphQLError =>
  new GraphQLError('Unauthorized field or type', {
    ...(path.length > 0 && { path }),
    extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' },
  })
