import { v7 as uuidv7 } from 'uuid'
import { AppError, notFound } from '../../../formats/errors.ts'
import { batched } from '../../../platform/async/turns.ts'
import { isDatabaseText } from '../../../platform/database/database-text.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { GivenArtifact } from './apply/given-artifacts.ts'
import type { Artifact, ArtifactKind, CheckTools, SealedValues } from './artifact.kind.ts'
import type { ArtifactRepository } from './artifact.repository.ts'
import { checkDescription, checkId, checkName, isId, refuseReserved } from './artifact.row.ts'
import { completeFields } from './artifact.validation.ts'
import { changeTo } from './artifact-change.ts'

/** Input of a client to create or replace an artifact: the common attributes and those of its kind. */
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
    private readonly tools: CheckTools,
    private readonly now: () => Date = currentTime,
  ) {}

  /** @throws AppError NOT_FOUND */
  async get(kind: ArtifactKind, id: string): Promise<Artifact> {
    return (await this.find(kind, id)) ?? Promise.reject(notFound(kind.name, id))
  }

  /** Calls of one turn are batched. */
  async find(kind: ArtifactKind, id: string): Promise<Artifact | null> {
    if (!isId(id)) return null
    const loader = this.#loaders.get(kind) ?? batched((ids) => this.repository.findAll(kind, ids))
    this.#loaders.set(kind, loader)
    return (await loader(id)) ?? null
  }

  async findNamed(kind: ArtifactKind, name: string): Promise<Artifact | null> {
    return isDatabaseText(name) ? this.repository.findNamed(kind, name) : null
  }

  /** The sealed values of the secrets of an artifact, by name. Only a worker opens them. */
  sealedSecrets(kind: ArtifactKind, id: string): Promise<SealedValues> {
    return this.repository.sealed(kind, id)
  }

  /** The value of an attribute that is sealed; null for none. @throws Error where its key is missing */
  async openSecret(kind: ArtifactKind, id: string, attribute: string): Promise<string | null> {
    const { [attribute]: sealed } = await this.sealedSecrets(kind, id)
    return sealed === undefined ? null : this.secrets.open(sealed)
  }

  /** @throws AppError BAD_USER_INPUT, CONFLICT (id or name taken) */
  async create(kind: ArtifactKind, input: ArtifactInput): Promise<Artifact> {
    const created = await this.#created(kind, input)
    await this.repository.insert([created])
    return created.artifact
  }

  /** Creates all of them, or none. @throws as `create` */
  async createAll(inputs: readonly { kind: ArtifactKind; input: ArtifactInput }[]): Promise<void> {
    const created = inputs.map(({ kind, input }) => this.#created(kind, input))
    await this.repository.insert(await Promise.all(created))
  }

  async #created(kind: ArtifactKind, input: ArtifactInput) {
    const given = await this.#given(kind, input.id ?? uuidv7(), input)
    return { kind, ...changeTo(given, this.secrets, this.now)(null) }
  }

  /** Completes the input of a client with its defaults. @throws AppError BAD_USER_INPUT */
  async #given(
    kind: ArtifactKind,
    id: string,
    { id: _, name, description, ...given }: ArtifactInput,
  ): Promise<GivenArtifact> {
    const fields = await completeFields(kind, given, this.tools)
    const common = { name: checkName(name), description: checkDescription(description) }
    refuseReserved(kind, { id, name })
    return { kind, id: checkId(id), ...common, fields }
  }

  /**
   * Replaces all attributes. What is the same already keeps its revision.
   * @param revisions the change is refused unless the stored revision is one of these
   * @throws AppError NOT_FOUND, BAD_USER_INPUT, CONFLICT (name taken), PRECONDITION_FAILED
   */
  async replace(
    kind: ArtifactKind,
    id: string,
    input: ArtifactInput,
    revisions?: readonly number[] | null,
  ): Promise<Artifact> {
    if (!isId(id)) throw notFound(kind.name, id)
    const change = changeTo(await this.#given(kind, id, input), this.secrets, this.now)
    const changed = await this.repository.replace(kind, id, (stored) => {
      checkRevision(kind, stored.artifact, revisions)
      return change(stored)
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
