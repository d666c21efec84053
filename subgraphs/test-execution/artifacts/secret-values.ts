import { badInput } from '../../../formats/errors.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { MIN_MASKED_LENGTH } from '../../../runner/run/mask.ts'
import type { ArtifactKind, SealedValues } from './artifact.kind.ts'

interface GivenSecret {
  name: string
  value?: string | null
}

type Fields = Record<string, unknown>

/**
 * Takes the values of secrets out of the attributes of an artifact and seals them; their names stay.
 * A secret without a value keeps its stored one, and without the attribute all of them stay.
 * @throws AppError BAD_USER_INPUT for a value that is missing or too short to be masked, or a name that is repeated; never shows a value
 */
export function sealSecrets(
  { secrets: attribute }: ArtifactKind,
  fields: Fields,
  stored: SealedValues,
  { seal }: Pick<Secrets, 'seal'>,
): { fields: Fields; sealed: SealedValues } {
  if (!attribute) return { fields, sealed: {} }
  const given = fields[attribute] as GivenSecret[] | undefined
  const kept = Object.keys(stored).map((name): GivenSecret => ({ name }))
  const sealed: Record<string, string> = {}
  for (const [at, { name, value }] of (given ?? kept).entries()) {
    if (Object.hasOwn(sealed, name)) throw badInput(`${attribute}.${at}.name: it repeats ${name}`)
    if (value != null && value.trim().length < MIN_MASKED_LENGTH)
      throw badInput(`${attribute}.${at}.value: ${TOO_SHORT}`)
    const text = value == null ? stored[name] : seal(value)
    if (text === undefined)
      throw badInput(`${attribute}.${at}.value: it is missing, and no value of ${name} is stored`)
    sealed[name] = text
  }
  const names = Object.keys(sealed).map((name) => ({ name }))
  return { fields: { ...fields, [attribute]: names }, sealed }
}

const TOO_SHORT = `expected at least ${MIN_MASKED_LENGTH} characters, as a shorter one cannot be masked`

/** True if every value that is given is the stored one. @throws Error where the key of a stored value is missing */
export function hasGivenSecrets(
  { secrets: attribute }: ArtifactKind,
  fields: Fields,
  stored: SealedValues,
  { open }: Pick<Secrets, 'open'>,
): boolean {
  const given = (attribute && (fields[attribute] as GivenSecret[] | undefined)) || []
  return given.every(({ name, value }) => {
    const sealed = stored[name]
    return value == null || (sealed !== undefined && open(sealed) === value)
  })
}
