import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

/** Measures of an operation, with each fragment counted wherever it is spread. */
export interface Measures {
  /** Fields below each other. */
  depth: number
  fields: number
  aliases: number
  directives: number
  /** Fields of the operation itself. */
  rootFields: number
}

/** Nested fragments multiply; counting stops here. */
const MANY = 1_000_000_000

/**
 * The largest of each measure among the operations of a document. It takes as long as the document is, not as long as
 * what it expands to, and needs no valid document; one that `isTooNested` would exhaust the stack.
 */
export function measure({ definitions }: DocumentNode): Measures {
  const fragments = new Map<string, FragmentDefinitionNode>()
  const operations: OperationDefinitionNode[] = []
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      fragments.set(definition.name.value, definition)
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
  }
  const ofFragments = new Map<string, Measures>()

  const ofFragment = (name: string): Measures => {
    const known = ofFragments.get(name)
    if (known) return known
    ofFragments.set(name, none()) // ends cycles, which validation explains
    const fragment = fragments.get(name)
    const sum = fragment ? ofSelections(fragment.selectionSet) : none()
    ofFragments.set(name, sum)
    return sum
  }

  const ofSelections = (set: SelectionSetNode | undefined): Measures => {
    const sum = none()
    for (const node of set?.selections ?? []) {
      sum.directives += node.directives?.length ?? 0
      if (node.kind === Kind.FIELD) {
        const { rootFields: _, ...below } = ofSelections(node.selectionSet)
        add(sum, { ...below, rootFields: 1 })
        sum.fields += 1
        sum.aliases += node.alias ? 1 : 0
        sum.depth = Math.max(sum.depth, below.depth + 1)
      } else if (node.kind === Kind.INLINE_FRAGMENT) add(sum, ofSelections(node.selectionSet))
      else add(sum, ofFragment(node.name.value))
    }
    return sum
  }

  const largest = none()
  for (const operation of operations) {
    const sum = ofSelections(operation.selectionSet)
    for (const { directives = [] } of [operation, ...(operation.variableDefinitions ?? [])])
      sum.directives += directives.length
    for (const name of NAMES) largest[name] = Math.max(largest[name], sum[name])
  }
  return largest
}

const none = (): Measures => ({ depth: 0, fields: 0, aliases: 0, directives: 0, rootFields: 0 })

const NAMES = ['depth', 'fields', 'aliases', 'directives', 'rootFields'] as const

function add(sum: Measures, { depth, ...counts }: Measures): void {
  sum.depth = Math.max(sum.depth, depth)
  sum.fields = Math.min(MANY, sum.fields + counts.fields)
  sum.aliases = Math.min(MANY, sum.aliases + counts.aliases)
  sum.directives = Math.min(MANY, sum.directives + counts.directives)
  sum.rootFields = Math.min(MANY, sum.rootFields + counts.rootFields)
}
