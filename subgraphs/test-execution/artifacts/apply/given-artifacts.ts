import { AppError, badInput } from '../../../../formats/errors.ts'
import {
  type Artifact,
  type ArtifactKind,
  attributesOf,
  type CheckTools,
} from '../artifact.kind.ts'
import { checkDescription, checkId, checkName, refuseReserved } from '../artifact.row.ts'
import { completeFields } from '../artifact.validation.ts'
import { InputFaults } from '../input-faults.ts'
import { KINDS } from '../kinds.ts'
import { referencesOf } from '../references.ts'
import type { SetEvaluation } from './set-evaluation.ts'

/** Artifacts of one call. */
export const MAX_GIVEN_ARTIFACTS = 1_000

/** Faults that one message lists. */
const MAX_LISTED_FAULTS = 20

/** An artifact as a client gives it, among others. */
export type RawArtifact = Readonly<Record<string, unknown>>

/** The same after validation, complete with its defaults. Values of secrets are still in clear. */
export interface GivenArtifact {
  kind: ArtifactKind
  id: string
  name: string
  description: string | null
  fields: Record<string, unknown>
}

/**
 * Validates artifacts that come together.
 * @returns them with each behind those that it names
 * @throws AppError BAD_USER_INPUT that lists the faults
 */
export async function readGiven(
  raw: readonly RawArtifact[],
  evaluation: SetEvaluation,
): Promise<GivenArtifact[]> {
  const { given, faults } = await readEach(raw, evaluation)
  if (faults.length > 0)
    throw badInput(listed(faults.map(({ title, message }) => `${title}: ${message}`)))
  return inOrder(given)
}

/** Fault of one of them. */
export interface GivenFault {
  /** Its kind and id, or where it stands. */
  title: string
  message: string
}

/** The valid artifacts, and the faults of the others. @throws AppError BAD_USER_INPUT for too many */
export async function readEach(
  raw: readonly RawArtifact[],
  evaluation: SetEvaluation,
): Promise<{ given: GivenArtifact[]; faults: GivenFault[] }> {
  if (raw.length > MAX_GIVEN_ARTIFACTS)
    throw badInput(
      `artifacts: ${raw.length} are more than ${MAX_GIVEN_ARTIFACTS}; split them into sets`,
    )
  const given: GivenArtifact[] = []
  const faults: GivenFault[] = []
  for (const [at, each] of raw.entries())
    try {
      given.push(await evaluation.ofOne((own) => readOne(each, own)))
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'BAD_USER_INPUT')) throw error
      const messages = error instanceof InputFaults ? error.faults : [error.message]
      faults.push(...messages.map((message) => ({ title: titleOf(each, at), message })))
    }
  faults.push(...repeated(given))
  return { given, faults }
}

/** Key of an artifact among all kinds. */
export const keyOf = ({ kind, id }: { kind: ArtifactKind; id: string }): string =>
  `${kind.idSpace} ${id}`

/** Name for messages. */
export const nameOf = ({ kind, id }: { kind: ArtifactKind; id: string }): string =>
  `${kind.name} ${id}`

async function readOne(raw: RawArtifact, tools: CheckTools): Promise<GivenArtifact> {
  const { kind: kindName, id, name = id, description = null, ...rest } = withoutMarks(raw)
  const kind = KINDS.find((each) => each.name === kindName)
  if (!kind) throw badInput(`kind: expected one of ${KINDS.map((each) => each.name).join(', ')}`)
  const common = {
    id: checkId(text('id', id)),
    name: checkName(text('name', name)),
    description: checkDescription(description === null ? null : text('description', description)),
  }
  refuseReserved(kind, common)
  const own = Object.entries(rest).filter(([attribute]) => !kind.shown?.includes(attribute))
  return {
    kind,
    ...common,
    fields: await completeFields(kind, Object.fromEntries(own), tools),
  }
}

/** Removes attributes that only the product sets, so that an artifact can be read and sent back. */
function withoutMarks(raw: unknown): Record<string, unknown> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw badInput('expected an object')
  return attributesOf(raw as Artifact) // what it has is judged later
}

function text(attribute: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw badInput(`${attribute}: ${value === undefined ? 'it is missing' : 'expected a text'}`)
}

function titleOf(raw: RawArtifact | null, at: number): string {
  const { kind, id } = raw ?? {}
  return typeof kind === 'string' && typeof id === 'string' ? `${kind} ${id}` : `artifacts.${at}`
}

function repeated(given: readonly GivenArtifact[]): GivenFault[] {
  const keys = new Set<string>()
  return given.flatMap((each) => {
    const key = keyOf(each)
    if (keys.has(key)) return [{ title: nameOf(each), message: 'its id is given twice' }]
    keys.add(key)
    return []
  })
}

function listed(faults: readonly string[]): string {
  const rest = faults.length - MAX_LISTED_FAULTS
  const more = rest > 0 ? [`and ${rest} more`] : []
  return [...faults.slice(0, MAX_LISTED_FAULTS), ...more].join('\n')
}

/** Each behind those that it names. @throws AppError BAD_USER_INPUT where they name each other in a circle */
export function inOrder(given: readonly GivenArtifact[]): GivenArtifact[] {
  const byKey = new Map(given.map((each) => [keyOf(each), each]))
  const ordered = new Set<GivenArtifact>()
  const around: GivenArtifact[] = []
  const visit = (each: GivenArtifact) => {
    if (ordered.has(each)) return
    if (around.includes(each)) {
      const circle = [...around.slice(around.indexOf(each)), each].map(({ id }) => id)
      throw badInput(`${each.kind.name}: they name each other in a circle: ${circle.join(' → ')}`)
    }
    around.push(each)
    for (const reference of referencesOf(each.kind, each.fields)) {
      const named = reference.kinds.map((kind) => byKey.get(keyOf({ kind, id: reference.id })))
      for (const one of named) if (one && reference.kinds.includes(one.kind)) visit(one)
    }
    around.pop()
    ordered.add(each)
  }
  for (const kind of KINDS) for (const each of given) if (each.kind === kind) visit(each)
  return [...ordered]
}
