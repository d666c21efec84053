import { type DocumentNode, Kind, type OperationDefinitionNode, print, visit } from 'graphql'

/**
 * Compiles what of a subscription decides how one event is answered: all but the arguments of its stream, which only
 * decide which events come. @returns a text that is equal where equal events are answered alike
 */
export function compileEventKey(
  operation: OperationDefinitionNode,
  { definitions: all }: DocumentNode,
): (variables: Readonly<Record<string, unknown>>) => string {
  const withoutArguments: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: operation.operation,
    ...(operation.directives && { directives: operation.directives }),
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: operation.selectionSet.selections.map((selection) =>
        selection.kind === Kind.FIELD ? { ...selection, arguments: [] } : selection,
      ),
    },
  }
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [withoutArguments, ...all.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)],
  }
  const used = new Set<string>()
  visit(document, { Variable: ({ name }) => void used.add(name.value) })
  const definitions = operation.variableDefinitions?.filter(({ variable }) =>
    used.has(variable.name.value),
  )
  const text = [document, ...(definitions ?? [])].map(print).join('\n')
  return (variables) =>
    `${text}\n${JSON.stringify(Object.entries(variables).filter(([name]) => used.has(name)))}`
}

/** Results that are made once for an object and a key. They go with the object. */
export class MadeOnce<Source extends object, Result> {
  readonly #made = new WeakMap<Source, Map<string, Result>>()

  of(source: Source, key: string, make: () => Result): Result {
    const made = this.#made.get(source) ?? new Map<string, Result>()
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = make()
    this.#made.set(source, made.set(key, fresh))
    return fresh
  }
}
