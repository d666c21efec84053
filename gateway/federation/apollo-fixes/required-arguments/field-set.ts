import { type DocumentNode, type FieldNode, parse, visit } from 'graphql'

/** Visits the fields of a field set such as `id owner { id }`, each with its path such as `owner.id`. */
export function visitFieldSet(
  fieldSet: string,
  visitField: (field: FieldNode, path: string) => FieldNode | undefined,
): DocumentNode {
  const path: string[] = []
  return visit(parse(`{${fieldSet}}`, { noLocation: true }), {
    Field: {
      enter: (field) => {
        path.push(field.name.value)
        return visitField(field, path.join('.'))
      },
      leave: () => {
        path.pop()
      },
    },
  })
}
