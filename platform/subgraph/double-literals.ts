import { type ASTNode, type DocumentNode, Kind, visit } from 'graphql'
import { AppError } from '../../formats/errors.ts'
import { lossOf, numberOf } from '../../formats/json/exact-number.ts'

/** @throws AppError BAD_USER_INPUT with the path of a literal that a double would change */
export function requireDoubles(document: DocumentNode): void {
  const check = (
    { value }: { value: string },
    _key: unknown,
    parent: Owner | undefined,
    path: readonly (string | number)[],
    ancestors: readonly Owner[],
  ): void => {
    const fault = lossOf(numberOf(value))
    if (!fault) return
    const owners = parent ? [...ancestors, parent] : ancestors
    throw new AppError('BAD_USER_INPUT', `${placeOf(owners, path)}: ${fault}`)
  }
  visit(document, { IntValue: check, FloatValue: check })
}

type Owner = ASTNode | readonly ASTNode[]

/** Arguments, fields and places in lists that lead to a literal, such as `input.steps[0]`. */
const placeOf = (owners: readonly Owner[], path: readonly (string | number)[]): string =>
  owners
    .map((owner, at) => {
      if (!('kind' in owner)) return isList(owners[at - 1]) ? `[${path[at]}]` : ''
      const isNamed = owner.kind === Kind.ARGUMENT || owner.kind === Kind.OBJECT_FIELD
      return isNamed ? `.${owner.name.value}` : ''
    })
    .join('')
    .replace('.', '')

const isList = (owner: Owner | undefined): boolean =>
  owner !== undefined && 'kind' in owner && owner.kind === Kind.LIST
