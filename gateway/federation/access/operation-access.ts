import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  type InlineFragmentNode,
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

/** @returns undefined for an operation that requires nothing */
export function operationAccess(
  rules: AccessRules,
  valid: ValidOperation,
): OperationAccess | undefined {
  const root = valid.schema.getRootType(valid.operation.operation)
  if (!root) return undefined
  const access = new OperationAccess(rules, valid, root)
  return access.requirements.length > 0 ? access : undefined
}

/** Selection of an operation, as a caller meets it. */
interface Met {
  required: readonly Requirement[]
  /** Type of what stands below it. */
  type: GraphQLNamedType
}

/** Requirements of an operation for its callers. */
export class OperationAccess {
  readonly requirements: readonly Requirement[]
  /** Equal requirements are one. */
  readonly #known = new Map<string, Requirement>()
  /** The type above a selection follows from its place in the document, so each is met in one way. */
  readonly #met = new Map<SelectionNode, Met>()
  readonly #ofRoot: readonly Requirement[]
  readonly #fragments: Fragments

  constructor(
    private readonly rules: AccessRules,
    private readonly valid: ValidOperation,
    private readonly root: GraphQLObjectType,
  ) {
    this.#fragments = fragmentsOf(valid.document)
    this.#ofRoot = this.#unique(rules.ofType(root))
    this.#collect(valid.operation.selectionSet, root, new Set())
    this.requirements = [...this.#known.values()]
  }

  /** @param denied those that a caller does not meet @param key names them */
  without(denied: ReadonlySet<Requirement>, key: string): PermittedOperation {
    const { document, operation } = this.valid
    const narrowing = new Narrowing(this.#met, this.#fragments, denied)
    const left = narrowing.whole(operation.selectionSet, this.root, this.#ofRoot)
    const narrowed = {
      ...operation,
      selectionSet: left ?? { ...operation.selectionSet, selections: [] },
    }
    const definitions = document.definitions.flatMap((definition) => {
      if (definition === operation) return narrowed
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) return []
      const selectionSet = narrowing.kept.get(definition.name.value)
      return selectionSet ? { ...definition, selectionSet } : []
    })
    return {
      key,
      document: { ...document, definitions },
      operation: narrowed,
      hidden: narrowing.hidden,
      errors: [...narrowing.errors.values()],
    }
  }

  #unique(required: readonly Requirement[]): Requirement[] {
    return required.map((each) => {
      const text = JSON.stringify(each)
      const one = this.#known.get(text) ?? each
      this.#known.set(text, one)
      return one
    })
  }

  /** Finds what each selection requires, once. @param seen fragments */
  #collect(set: SelectionSetNode, type: GraphQLNamedType, seen: Set<string>): void {
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        const field = fieldOf(type, node.name.value)
        if (!field) continue // __typename, and introspection
        const inner = getNamedType(field.type)
        const required = this.#unique(this.rules.ofField(type, field))
        this.#met.set(node, { required, type: inner })
        if (node.selectionSet) this.#collect(node.selectionSet, inner, seen)
        continue
      }
      const { typeCondition, selectionSet } = fragmentOf(node, this.#fragments)
      const inner = this.valid.schema.getType(typeCondition?.name.value ?? '') ?? type
      const required = typeCondition ? this.#unique(this.rules.ofType(inner)) : []
      this.#met.set(node, { required, type: inner })
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        if (seen.has(node.name.value)) continue
        seen.add(node.name.value)
      }
      this.#collect(selectionSet, inner, seen)
    }
  }
}

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>

/** The selections of a fragment, and the type that it names. A valid operation defines those that it spreads. */
const fragmentOf = (
  node: InlineFragmentNode | FragmentSpreadNode,
  fragments: Fragments,
): InlineFragmentNode | FragmentDefinitionNode =>
  node.kind === Kind.INLINE_FRAGMENT ? node : (fragments[node.name.value] as FragmentDefinitionNode)

/** Takes what is denied out of an operation. */
class Narrowing {
  readonly hidden = new Set<FieldNode>()
  readonly errors = new Map<string, GraphQLError>()
  /** Selections that are left of fragments by name; null for none. */
  readonly kept = new Map<string, SelectionSetNode | null>()

  constructor(
    private readonly met: ReadonlyMap<SelectionNode, Met>,
    private readonly fragments: Fragments,
    private readonly denied: ReadonlySet<Requirement>,
  ) {}

  /** @returns selections that are left of the operation; null for none */
  whole(
    set: SelectionSetNode,
    root: GraphQLNamedType,
    required: readonly Requirement[],
  ): SelectionSetNode | null {
    if (!this.#isDenied(required)) return this.#permitted(set, root, [])
    this.#refuse([])
    this.#hide(set)
    return null
  }

  /** @returns null where nothing is left */
  #permitted(set: SelectionSetNode, type: GraphQLNamedType, path: Path): SelectionSetNode | null {
    const selections = set.selections.flatMap((node): SelectionNode | [] => {
      const met = this.met.get(node)
      if (!met) return node
      return node.kind === Kind.FIELD
        ? this.#permittedField(node, met, type, path)
        : this.#permittedFragment(node, met, path)
    })
    return selections.length > 0 ? { ...set, selections } : null
  }

  #permittedField(node: FieldNode, met: Met, type: GraphQLNamedType, path: Path): FieldNode | [] {
    const at = [...path, (node.alias ?? node.name).value]
    if (this.#isDenied(met.required)) this.#refuse(at)
    else if (!node.selectionSet) return node
    else {
      const lists = listsOf(fieldOf(type, node.name.value)?.type)
      const below = this.#permitted(node.selectionSet, met.type, [...at, ...lists])
      if (below) return { ...node, selectionSet: below }
    }
    this.hidden.add(node)
    return []
  }

  #permittedFragment(
    node: InlineFragmentNode | FragmentSpreadNode,
    { required, type }: Met,
    path: Path,
  ): SelectionNode | [] {
    const { selectionSet } = fragmentOf(node, this.fragments)
    if (this.#isDenied(required)) {
      this.#refuse(path)
      this.#hide(selectionSet)
      return []
    }
    const below = this.#permitted(selectionSet, type, path)
    if (node.kind === Kind.FRAGMENT_SPREAD) this.kept.set(node.name.value, below)
    if (below === null) return []
    return node.kind === Kind.INLINE_FRAGMENT ? { ...node, selectionSet: below } : node
  }

  #isDenied(required: readonly Requirement[]): boolean {
    return required.some((each) => this.denied.has(each))
  }

  #refuse(path: Path): void {
    this.errors.set(path.join('.'), unauthorized(path))
  }

  #hide(set: SelectionSetNode): void {
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) this.hidden.add(node)
      else this.#hide(fragmentOf(node, this.fragments).selectionSet)
    }
  }
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
