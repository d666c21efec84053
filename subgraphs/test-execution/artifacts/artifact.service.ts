import { v7 as uuidv7 } from 'uuid'
import { AppError, notFound } from '../../../schema/errors.ts'
import type { Artifact, ArtifactKind } from './artifact.kind.ts'
import type { ArtifactRepository } from './artifact.repository.ts'
import { completeFields } from './artifact.validation.ts'

/** What a client gives to create or replace an artifact: the common attributes and those of its kind. */
export type ArtifactInput = {
  id?: string | null
  name: string
  description?: string | null
} & Record<string, unknown>

const ID = /^[A-Za-z0-9._~:-]{1,255}$/
const RESERVED_IDS = new Set(['count', 'result', '.', '..'])
const NAME_LENGTH = 255

/** Create, read, replace and delete, the same for every kind. */
export class ArtifactService {
  constructor(
    private readonly repository: ArtifactRepository,
    private readonly kinds: readonly ArtifactKind[],
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** @throws AppError NOT_FOUND */
  async get(kind: ArtifactKind, id: string): Promise<Artifact> {
    return (await this.repository.find(kind, id)) ?? Promise.reject(notFound(kind.label, id))
  }

  find(kind: ArtifactKind, id: string): Promise<Artifact | null> {
    return this.repository.find(kind, id)
  }

  /** @throws AppError BAD_USER_INPUT, CONFLICT (id or name taken) */
  async create(
    kind: ArtifactKind,
    { id, name, description, ...fields }: ArtifactInput,
  ): Promise<Artifact> {
    const artifact = {
      ...(await this.#check(kind, fields)),
      id: checkId(id ?? uuidv7()),
      name: checkName(name),
      description: description ?? null,
      revision: 1,
      created: this.now(),
      updated: this.now(),
    }
    await this.repository.insert(kind, artifact)
    return artifact
  }

  /**
   * Replaces all attributes.
   * @param revision the one the client has seen; another one stored is refused
   * @throws AppError NOT_FOUND, BAD_USER_INPUT, CONFLICT (name taken), PRECONDITION_FAILED (changed meanwhile)
   */
  async replace(
    kind: ArtifactKind,
    id: string,
    input: ArtifactInput,
    revision?: number | null,
  ): Promise<Artifact> {
    const { id: _, name, description, ...fields } = input
    const { created, revision: stored } = await this.get(kind, id)
    const changed = new AppError(
      'PRECONDITION_FAILED',
      `The ${kind.label} ${id} was changed: read revision ${stored}`,
    )
    if (revision != null && revision !== stored) throw changed
    const artifact = {
      ...(await this.#check(kind, fields)),
      id,
      name: checkName(name),
      description: description ?? null,
      revision: stored + 1,
      created,
      updated: this.now(),
    }
    if (!(await this.repository.replace(kind, artifact))) throw changed
    return artifact
  }

  /** @throws AppError NOT_FOUND, CONFLICT that names what uses the artifact */
  async delete(kind: ArtifactKind, id: string): Promise<void> {
    for (const user of this.kinds)
      for (const [field, referenced] of Object.entries(user.references)) {
        if (referenced !== kind.name) continue
        const [first] = await this.repository.usersOf(user.name, field, id)
        if (first)
          throw new AppError(
            'CONFLICT',
            `The ${kind.label} ${id} is used by the ${user.label} ${first.id}`,
          )
      }
    if (!(await this.repository.remove(kind, id))) throw notFound(kind.label, id)
  }

  /** The fields with their defaults, when they are valid and what they name exists. */
  async #check(
    kind: ArtifactKind,
    given: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const fields = completeFields(kind, given)
    for (const [field, referenced] of Object.entries(kind.references)) {
      const id = fields[field]
      const target = this.kinds.find(({ name }) => name === referenced)
      if (id == null || !target) continue
      if (!(await this.repository.find(target, String(id))))
        throw new AppError(
          'BAD_USER_INPUT',
          `${field}: no ${target.label} has the id ${String(id)}`,
        )
    }
    return fields
  }
}

function checkId(id: string): string {
  if (ID.test(id) && !RESERVED_IDS.has(id)) return id
  throw new AppError(
    'BAD_USER_INPUT',
    'id: expected 1 to 255 of the characters A-Z a-z 0-9 . _ ~ : - and none of the words count, result, ., ..',
  )
}

function checkName(name: string): string {
  if (name.trim() !== '' && name.length <= NAME_LENGTH) return name
  throw new AppError('BAD_USER_INPUT', `name: expected a text of 1 to ${NAME_LENGTH} characters`)
}
