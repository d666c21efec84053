import { v7 as uuidv7 } from 'uuid'
import { AppError, notFound } from '../../../schema/errors.ts'
import { batched } from '../../platform/async/turns.ts'
import { currentTime } from '../../platform/process/clock.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Evaluation } from '../runners/evaluation/evaluation.ts'
import type { Artifact, ArtifactKind, SealedValues } from './artifact.kind.ts'
import type { ArtifactRepository } from './artifact.repository.ts'
import { checkDescription, checkId, checkName, isId } from './artifact.row.ts'
import { completeFields } from './artifact.validation.ts'
import { isDatabaseText } from './database-text.ts'
import { isSame } from './is-same.ts'
import { hasGivenSecrets, sealSecrets } from './secret-values.ts'

/** What a client gives to create or replace an artifact: the common attributes and those of its kind. */
export type ArtifactInput = {
  id?: string | null
  name: string
  description?: string | null
} & Record<string, unknown>

/** Create, read, replace and delete, the same for every kind. */
export class ArtifactService {
  readonly #loaders = new Map<ArtifactKind, (id: string) => Promise<Artifact | undefined>>()

  constructor(
    private readonly repository: ArtifactRepository,
    private readonly secrets: Secrets,
    private readonly evaluation: Evaluation,
    private readonly now: () => Date = currentTime,
  ) {}

  /** @throws AppError NOT_FOUND */
  async get(kind: ArtifactKind, id: string): Promise<Artifact> {
    return (await this.find(kind, id)) ?? Promise.reject(notFound(kind.name, id))
  }

  async find(kind: ArtifactKind, id: string): Promise<Artifact | null> {
    return isId(id) ? this.repository.find(kind, id) : null
  }

  async findNamed(kind: ArtifactKind, name: string): Promise<Artifact | null> {
    return isDatabaseText(name) ? this.repository.findNamed(kind, name) : null
  }

  /** Like `find`; calls of one turn are batched. */
  async load(kind: ArtifactKind, id: string): Promise<Artifact | null> {
    if (!isId(id)) return null
    const loader = this.#loaders.get(kind) ?? batched((ids) => this.repository.findAll(kind, ids))
    this.#loaders.set(kind, loader)
    return (await loader(id)) ?? null
  }

  /** The sealed values of the secrets of an artifact, by name. Only a worker opens them. */
  sealedSecrets(kind: ArtifactKind, id: string): Promise<SealedValues> {
    return this.repository.sealed(kind, id)
  }

  /** @throws AppError BAD_USER_INPUT, CONFLICT (id or name taken) */
  async create(kind: ArtifactKind, input: ArtifactInput): Promise<Artifact> {
    const created = await this.#fresh(kind, input)
    await this.repository.insert([created])
    return created.artifact
  }

  /** Creates all of them, or none. @throws as `create` */
  async createAll(inputs: readonly { kind: ArtifactKind; input: ArtifactInput }[]): Promise<void> {
    const created = inputs.map(({ kind, input }) => this.#fresh(kind, input))
    await this.repository.insert(await Promise.all(created))
  }

  async #fresh(kind: ArtifactKind, { id, name, description, ...given }: ArtifactInput) {
    const { fields, sealed } = sealSecrets(
      kind,
      await completeFields(kind, given, this.evaluation),
      {},
      this.secrets,
    )
    const created = this.now()
    const artifact = {
      ...fields,
      id: checkId(id ?? uuidv7()),
      name: checkName(name),
      description: checkDescription(description),
      revision: 1,
      created,
      updated: created,
    }
    return { kind, artifact, sealed }
  }

  /**
   * Replaces all attributes. What is the same already keeps its revision.
   * @param revisions the change is refused unless the stored revision is one of these
   * @throws AppError NOT_FOUND, BAD_USER_INPUT, CONFLICT (name taken), PRECONDITION_FAILED
   */
  async replace(
    kind: ArtifactKind,
    id: string,
    { id: _, name, description, ...given }: ArtifactInput,
    revisions?: readonly number[] | null,
  ): Promise<Artifact> {
    if (!isId(id)) throw notFound(kind.name, id)
    const complete = await completeFields(kind, given, this.evaluation)
    const common = { id, name: checkName(name), description: checkDescription(description) }
    const changed = await this.repository.replace(kind, id, (stored) => {
      checkRevision(kind, stored.artifact, revisions)
      const { fields, sealed } = sealSecrets(kind, complete, stored.sealed, this.secrets)
      const { revision, created, updated } = stored.artifact
      const same = { ...fields, ...common, revision, created, updated }
      if (
        isSame(stored.artifact, same) &&
        hasGivenSecrets(kind, complete, stored.sealed, this.secrets)
      )
        return stored
      return { artifact: { ...same, revision: revision + 1, updated: this.now() }, sealed }
    })
    return changed ?? Promise.reject(notFound(kind.name, id))
  }

  /**
   * @param revisions as in `replace`
   * @throws AppError NOT_FOUND, PRECONDITION_FAILED, CONFLICT that names what uses the artifact
   */
  async delete(
    kind: ArtifactKind,
    id: string,
    revisions?: readonly number[] | null,
  ): Promise<void> {
    const check = (stored: Artifact) => checkRevision(kind, stored, revisions)
    if (!isId(id) || !(await this.repository.remove(kind, id, check))) throw notFound(kind.name, id)
  }
}

function checkRevision(
  { name }: ArtifactKind,
  { id, revision }: Artifact,
  expected?: readonly number[] | null,
): void {
  if (expected && !expected.includes(revision))
    throw new AppError(
      'PRECONDITION_FAILED',
      `The ${name} ${id} has revision ${revision}, not the one expected`,
    )
}
