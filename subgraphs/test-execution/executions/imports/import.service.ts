import { badInput } from '../../../../formats/errors.ts'
import {
  MAX_IMPORT_DURATION_MS,
  MAX_TEST_LOG,
  MAX_TEST_MESSAGE,
} from '../../../../formats/import-limits.ts'
import { reportTime } from '../../../../formats/junit/report-time.ts'
import { plainText } from '../../../../formats/plain-text.ts'
import type { Caller } from '../../../../platform/access/caller.ts'
import { currentTime } from '../../../../platform/process/clock.ts'
import type { IdempotencyKey } from '../../../../platform/request/idempotency-key.ts'
import type { Evaluation } from '../../../../runner/evaluation/evaluation.ts'
import {
  type AttachmentLimits,
  contentTypeOf,
  DEFAULT_ATTACHMENT_LIMITS,
  MAX_ATTACHMENT_NAME,
  MAX_ATTACHMENTS,
} from '../../../../runner/run/attachment.ts'
import { sanitizeText } from '../../../../runner/run/mask.ts'
import { requireRunRight } from '../accept/run-right.ts'
import type { Execution } from '../execution.entity.ts'
import { readLabels } from '../execution.ts'
import type { ImportRepository } from './import.repository.ts'
import type {
  ImportExecutionInput,
  ImportedFileInput,
  ImportedScenarioInput,
  ImportedStepInput,
  ImportedTryInput,
} from './import.type.ts'
import type { ImportedFile, ImportedScenario, ImportedStep, ImportedTry } from './imported.ts'
import { readCoverageOf } from './imported-coverage.ts'
import { readReportsOf } from './imported-reports.ts'
import { endedBy } from './imported-times.ts'

/** Limits of one import. */
export interface ImportLimits {
  /** IMPORT_SCENARIOS */
  scenarios: number
  /** Steps of all scenarios. IMPORT_STEPS */
  steps: number
}

const DEFAULT_LIMITS: ImportLimits = { scenarios: 2_000, steps: 10_000 }

/** Characters of a name, as of artifacts. */
const MAX_NAME = 255

/** Contradictions of a report that its log shows. */
const MAX_WARNINGS = 100

/** Takes in results of scenarios that ran elsewhere. */
export class ImportService {
  readonly #limits: ImportLimits
  readonly #files: AttachmentLimits

  constructor(
    private readonly repository: Pick<ImportRepository, 'add'>,
    private readonly find: (id: string) => Promise<Execution>,
    private readonly evaluation: Evaluation,
    limits: { imports?: ImportLimits; attachmentLimits?: AttachmentLimits } = {},
    private readonly now: () => Date = currentTime,
  ) {
    this.#limits = limits.imports ?? DEFAULT_LIMITS
    this.#files = limits.attachmentLimits ?? DEFAULT_ATTACHMENT_LIMITS
  }

  /** @throws AppError BAD_USER_INPUT that names a limit, FORBIDDEN, IDEMPOTENCY_MISMATCH */
  async import(
    given: Omit<ImportExecutionInput, 'idempotencyKey'>,
    key: IdempotencyKey | null,
    caller: Caller,
  ): Promise<Execution> {
    requireRunRight(caller)
    const { name, environmentId, labels } = given
    const reported = await readReportsOf(given.reports, this.evaluation, this.#files)
    const scenarios = [...given.scenarios, ...reported.scenarios]
    const warnings = [...given.warnings, ...reported.warnings]
    const most = this.#limits
    if (scenarios.length === 0 && given.coverage.length === 0)
      throw badInput('scenarios: none in the import, expected at least one: add what was run')
    if (scenarios.length > most.scenarios)
      throw badInput(
        `scenarios: ${scenarios.length} in one import, expected 1 to ${most.scenarios} (IMPORT_SCENARIOS): split it`,
      )
    const steps = scenarios
      .flatMap((each) => [each, ...each.tries])
      .reduce((sum, each) => sum + each.steps.length, 0)
    if (steps > most.steps)
      throw badInput(
        `steps: ${steps} in one import, expected at most ${most.steps} (IMPORT_STEPS): split it`,
      )
    const begun = scenarios.map(startOf).find((started) => started !== null) ?? this.now()
    const read = scenarios.map((each, at) => this.#scenario(each, begun, `scenarios.${at}`))
    const files = read
      .flatMap((each) => [...each.tries, each])
      .flatMap((each) => each.steps.flatMap((step) => step.files))
    if (files.length > MAX_ATTACHMENTS)
      throw badInput(
        `attachments: ${files.length} in one import, expected at most ${MAX_ATTACHMENTS}: leave some out`,
      )
    const size = files.reduce((sum, { content }) => sum + content.length, 0)
    const { bytesOfAll } = this.#files
    if (size > bytesOfAll)
      throw badInput(
        `attachments: ${size} bytes in one import, expected at most ${bytesOfAll} (ATTACHMENTS_BYTES): leave some out`,
      )
    const { user, requestId } = caller
    const id = await this.repository.add(
      {
        name: named(name, 'name'),
        scenarios: endedBy(this.now(), read),
        environmentId: environmentId == null ? null : named(environmentId, 'environmentId'),
        labels: readLabels(labels ?? []),
        coverage: await readCoverageOf(given, this.evaluation),
        exitCode: given.exitCode ?? null,
        warnings: warnings.slice(0, MAX_WARNINGS).map((each) => text(each, MAX_TEST_MESSAGE)),
        executedBy: user ?? 'anonymous',
        requestId,
        now: this.now(),
      },
      key,
    )
    return this.find(id)
  }

  /** @param begun of scenarios that do not say when they began: now would make the whole last until now */
  #scenario(given: ImportedScenarioInput, begun: Date, at: string): ImportedScenario {
    const { state, log } = given
    const started = startOf(given) ?? begun
    return {
      name: named(given.name, `${at}.name`),
      state,
      message: text(given.message, MAX_TEST_MESSAGE),
      started,
      durationMs: durationOf(given, at),
      log: plainText((log ?? '').slice(-MAX_TEST_LOG)),
      steps: this.#steps(given, at),
      tries: given.tries.map((tried, nth) => this.#try(tried, started, `${at}.tries.${nth}`)),
    }
  }

  #try(given: ImportedTryInput, started: Date, at: string): ImportedTry {
    const { state } = given
    if (state !== 'FAILED' && state !== 'ERROR')
      throw badInput(`${at}.state: expected FAILED or ERROR, not ${state}`)
    return {
      state,
      message: text(given.message, MAX_TEST_MESSAGE),
      started: startOf(given) ?? started,
      durationMs: durationOf(given, at),
      steps: this.#steps(given, at),
    }
  }

  #steps({ steps }: { steps: ImportedStepInput[] }, at: string): ImportedStep[] {
    return steps.map((step, nth) => this.#step(step, `${at}.steps.${nth}`))
  }

  #step(given: ImportedStepInput, at: string): ImportedStep {
    const fileAt = (nth: number) => `${at}.attachments.${nth}`
    return {
      name: named(given.name, `${at}.name`),
      state: given.state,
      message: text(given.message, MAX_TEST_MESSAGE),
      durationMs: durationOf(given, at),
      files: given.attachments.map((file, nth) => fileOf(file, fileAt(nth), this.#files)),
    }
  }
}

function fileOf(
  { name, contentType, base64 }: ImportedFileInput,
  at: string,
  { bytesOfOne }: AttachmentLimits,
): ImportedFile {
  const content = bytesOf(base64, `${at}.base64`)
  if (content.length > bytesOfOne)
    throw badInput(
      `${at}: ${content.length} bytes, expected at most ${bytesOfOne} (ATTACHMENT_BYTES): leave it out`,
    )
  const own = sanitizeText(name.slice(0, MAX_ATTACHMENT_NAME))
  const isType = contentType != null && /^[a-z]+\/[a-z0-9.+-]{1,100}$/.test(contentType)
  return { name: own, contentType: isType ? contentType : contentTypeOf(own), content }
}

/** Lines of Base64 may be broken, as MIME does; everything else would become other bytes. */
function bytesOf(base64: string, at: string): Buffer {
  const compact = base64.replace(/\s/g, '')
  const content = Buffer.from(compact, 'base64')
  if (content.toString('base64') === compact) return content
  throw badInput(
    `${at}: expected Base64 with its padding, not ${JSON.stringify(compact.slice(0, 20))}`,
  )
}

function named(name: string, at: string): string {
  const own = plainText(name.trim().slice(0, MAX_NAME)).trim()
  if (own === '') throw badInput(`${at}: expected a text`)
  return own
}

/** Null for times that stand for an unknown one, too, and for those that lie far ahead. */
function startOf({ started }: { started?: Date | null }): Date | null {
  const time = started ? reportTime(started.toISOString()) : null
  return time === null ? null : new Date(time)
}

function durationOf({ durationMs }: { durationMs?: number | null }, at: string): number {
  const ms = durationMs ?? 0
  if (ms < 0 || ms > MAX_IMPORT_DURATION_MS)
    throw badInput(`${at}.durationMs: expected 0 to ${MAX_IMPORT_DURATION_MS}, not ${ms}`)
  return ms
}

const text = (given: string | null | undefined, most: number): string =>
  plainText((given ?? '').slice(0, most))
