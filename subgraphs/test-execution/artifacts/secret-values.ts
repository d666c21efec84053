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
  kind: ArtifactKind,
  fields: Fields,
  stored: SealedValues,
  secrets: Pick<Secrets, 'seal' | 'open'>,
): { fields: Fields; sealed: SealedValues } {
  const { secrets: attribute } = kind
  const { seal } = secrets
  if (!attribute) return sealHidden(kind, fields, stored, secrets)
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

/** Seals whole attributes. A value as it is shown keeps the stored one that it stands for. */
function sealHidden(
  { hidden = {} }: ArtifactKind,
  fields: Fields,
  stored: SealedValues,
  { seal, open }: Pick<Secrets, 'seal' | 'open'>,
): { fields: Fields; sealed: SealedValues } {
  const shown: Record<string, string> = {}
  const sealed: Record<string, string> = {}
  for (const [attribute, shownAs] of Object.entries(hidden)) {
    const value = fields[attribute]
    if (typeof value !== 'string') continue
    const kept = stored[attribute]
    shown[attribute] = shownAs(value)
    if (value !== shown[attribute]) sealed[attribute] = seal(value)
    else if (kept !== undefined && shownAs(open(kept)) === value) sealed[attribute] = kept
    else throw badInput(`${attribute}: ${value} stands for a stored value, and none is shown so`)
  }
  return { fields: { ...fields, ...shown }, sealed }
}

const TOO_SHORT = `expected at least ${MIN_MASKED_LENGTH} characters, as a shorter one cannot be masked`

/** True if every value that is given is the stored one. @throws Error where the key of a stored value is missing */
export function hasGivenSecrets(
  { secrets: attribute, hidden = {} }: ArtifactKind,
  fields: Fields,
  stored: SealedValues,
  { open }: Pick<Secrets, 'open'>,
): boolean {
  for (const [name, shownAs] of Object.entries(hidden)) {
    const value = fields[name]
    const sealed = stored[name]
    if (typeof value !== 'string' || value === shownAs(value)) continue
    if (sealed === undefined || open(sealed) !== value) return false
  }
  const given = (attribute && (fields[attribute] as GivenSecret[] | undefined)) || []
  return given.every(({ name, value }) => {
    const sealed = stored[name]
    return value == null || (sealed !== undefined && open(sealed) === value)
  })
}
