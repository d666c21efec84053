import { badInput, notFound } from '../../../../formats/errors.ts'
import type { Caller } from '../../../../platform/access/caller.ts'
import { currentTime } from '../../../../platform/process/clock.ts'
import { attributesOf } from '../../artifacts/artifact.kind.ts'
import type { ArtifactService } from '../../artifacts/artifact.service.ts'
import { TESTCASE } from '../../artifacts/testcase/testcase.kind.ts'
import type { CauseRepository } from './cause.repository.ts'
import type { FailureCause, SetFailureVerdictInput, SetQuarantineInput } from './cause.type.ts'
import { causeIdOf } from './cause-id.ts'

/** Characters of what people say of a cause. */
const LENGTHS = { owner: 255, comment: 4_000, ticket: 2_000 } as const

/** Verdicts of people on causes. */
export class CauseService {
  readonly #asked = new Set<string>()
  #reading: Promise<Map<string, FailureCause>> | undefined

  constructor(
    private readonly causes: CauseRepository,
    private readonly artifacts: ArtifactService,
  ) {}

  /** Causes that are asked for in one turn, as by the items of a list, are read together. */
  async find(id: string): Promise<FailureCause | null> {
    const causeId = causeIdOf(id)
    this.#asked.add(causeId)
    this.#reading ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      const ids = [...this.#asked]
      this.#asked.clear()
      this.#reading = undefined
      return this.causes.find(ids)
    })
    return (await this.#reading).get(causeId) ?? null
  }

  /** @throws AppError NOT_FOUND, BAD_USER_INPUT */
  async judge(
    { id, verdict = null, ...given }: SetFailureVerdictInput,
    { user }: Caller,
  ): Promise<FailureCause> {
    const [owner, comment, ticket] = (['owner', 'comment', 'ticket'] as const).map((name) => {
      const text = given[name]?.trim() || null
      if (text && text.length > LENGTHS[name])
        throw badInput(`${name}: expected at most ${LENGTHS[name]} characters, not ${text.length}`)
      return text
    })
    const said = { verdict, owner: owner ?? null, comment: comment ?? null, ticket: ticket ?? null }
    const by = { setBy: user ?? 'anonymous', setAt: currentTime() }
    const isThere = await this.causes.judge(causeIdOf(id), { ...said, ...by })
    return (isThere && (await this.find(id))) || Promise.reject(notFound('cause', id))
  }

  /** Changes a scenario as an edit does: with a revision of its own. @throws AppError NOT_FOUND, PRECONDITION_FAILED */
  async quarantine({ id, quarantine }: SetQuarantineInput) {
    const stored = await this.artifacts.find(TESTCASE, id)
    if (!stored) throw notFound(TESTCASE.name, id)
    const given = { ...attributesOf(stored), quarantine }
    return this.artifacts.replace(TESTCASE, id, given, [stored.revision])
  }
}
