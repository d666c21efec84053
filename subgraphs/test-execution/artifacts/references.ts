import { AppError, badInput } from '../../../formats/errors.ts'
import type { ArtifactKind } from './artifact.kind.ts'

/** One id that an attribute of an artifact holds. */
export interface Reference {
  /** The attribute that its author wrote it in. */
  place: string
  /** The kinds that it may be of. */
  kinds: readonly ArtifactKind[]
  id: string
}

/** References of an artifact, in the order of its attributes. */
export const referencesOf = (
  kind: ArtifactKind,
  attributes: Readonly<Record<string, unknown>>,
): Reference[] =>
  Object.entries(kind.references).flatMap(([attribute, target]) =>
    [attributes[attribute] ?? []]
      .flat()
      .map((id) => ({ place: placeOf(kind, attribute), kinds: [target].flat(), id: String(id) })),
  )

/** Place of an attribute for authors, who do not know derived ones: these come out of the scenario. */
export const placeOf = ({ properties }: ArtifactKind, attribute: string): string =>
  properties[attribute]?.readOnly ? 'scenario' : attribute

/** The attributes, of whatever kind, that may name artifacts of `kind`. */
export const attributesNaming = (
  kind: ArtifactKind,
  kinds: readonly ArtifactKind[],
): { user: ArtifactKind; attribute: string }[] =>
  kinds.flatMap((user) =>
    Object.entries(user.references)
      .filter(([, target]) => [target].flat().includes(kind))
      .map(([attribute]) => ({ user, attribute })),
  )

export const dangling = ({ place, kinds, id }: Reference): AppError =>
  badInput(`${place}: no ${kinds.map(({ name }) => name).join(' or ')} has the id ${id}`)

const NAMED_USERS = 10

/** @param users kind and id of each, without repeats */
export function inUse(
  kind: ArtifactKind,
  id: string,
  users: readonly { kind: string; id: string }[],
): AppError {
  const named = users.slice(0, NAMED_USERS).map((user) => `the ${user.kind} ${user.id}`)
  const rest = users.length - named.length
  return new AppError(
    'CONFLICT',
    `The ${kind.name} ${id} is used by ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
  )
}
