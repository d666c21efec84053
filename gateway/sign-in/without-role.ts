import { ROLE_NAMES } from '../../platform/access/permissions.ts'
import { claimAt, namesAt } from './claims.ts'
import { isRecord } from './is-record.ts'

/** Names in one sentence, and characters of one. */
const LISTED = 30
const NAME_LENGTH = 100

/**
 * Why claims gave no role, for the person and the operator: which claim was looked for, what was there, and what is
 * known. Values of claims are not said, and no address that they name is asked.
 * @param sources ID token, access token, UserInfo: as far as there are any
 */
export function whyWithoutRole(
  sources: readonly object[],
  claim: string,
  roleMap: ReadonlyMap<string, string>,
): string {
  const known = [...roleMap.keys(), ...ROLE_NAMES]
  const found = sources.map((source) => claimAt(source, claim)).find((value) => value !== undefined)
  const names = sources.map((source) => namesAt(source, claim)).find(Boolean)
  const looked = `OIDC_ROLES_CLAIM=${claim} gave no role`
  const knows = `Known are ${listed(known)}`
  if (names) {
    const given = new Set(names.map(folded))
    const nearly = known.filter((name) => given.has(folded(name)))
    const hint = nearly.length > 0 ? `: case or blanks differ from ${listed(nearly)}` : ''
    return `${looked}: it lists ${names.length} names, and none is known${hint}. ${knows}`
  }
  if (found !== undefined)
    return `${looked}: it is ${shapeOf(found)}, and not a text or a list of texts. ${knows}`
  if (sources.some((source) => isLeftOut(source, claim)))
    return `${looked}: the issuer left the groups out of the token, as it does where there are too many. Let it send only those that are assigned to this application, or roles. ${knows}`
  const claims = [...new Set(sources.flatMap((source) => Object.keys(source)))]
  const same = claims.find((name) => folded(name) === folded(claim))
  const hint = same === undefined ? '' : `; set OIDC_ROLES_CLAIM=${short(same)} if that is it`
  return `${looked}: there is no such claim, only ${listed(claims)}${hint}. ${knows}`
}

const folded = (name: string): string => name.normalize('NFKC').trim().toLowerCase()

/** Claims of another source (OpenID Connect Core 1.0, section 5.6.2), and what Entra ID says in tokens of implicit flows. */
const isLeftOut = (source: object, claim: string): boolean => {
  const elsewhere = claimAt(source, '_claim_names')
  const [first = ''] = claim.split('.')
  return (
    (isRecord(elsewhere) && [claim, first].some((name) => Object.hasOwn(elsewhere, name))) ||
    [true, 'true'].includes(claimAt(source, 'hasgroups') as boolean | string) // compared only
  )
}

const shapeOf = (value: unknown): string => {
  if (value === null) return 'null'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const short = (name: string): string =>
  name
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, NAME_LENGTH)
    .toWellFormed()

const listed = (names: readonly string[]): string =>
  `${names.slice(0, LISTED).map(short).join(', ') || 'nothing'}${names.length > LISTED ? ' and more' : ''}`
