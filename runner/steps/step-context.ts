import { setImmediate as nextTurn } from 'node:timers/promises'
import { jsonEquals } from '../../formats/json/values.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { ComponentSource } from '../coverage/compile-component.ts'
import type { MeasuredCoverage } from '../coverage/line-coverage.ts'
import type { Evaluation } from '../evaluation/evaluation.ts'
import type { ReportedCase } from '../reports/reported-case.ts'
import { isSameComponent } from '../run/components.ts'
import type { PlannedScenario, RunContext } from '../run/context.ts'
import { type HostCredentials, type RunEnvironment, refusalOf } from '../run/environment.ts'
import { RunError } from '../run/error.ts'
import type { RunFiles } from '../run/folder.ts'
import type { Outcome } from '../run/outcome.ts'
import { runBody } from '../run/run-body.ts'
import { runInParallel } from '../run/run-step.ts'
import type { ProgramWalls } from '../sandbox/walls.ts'
import type { Step } from '../scenario/step.ts'
import { kindOf } from '../scenario/step-settings.ts'
import { createInsertBudget, fillIn, type Scope } from '../scenario/template.ts'
import { attachFiles } from './attach-files.ts'
import { COMMAND_STEPS_OFF } from './command-steps.ts'
import type { StepContext } from './step-kind.ts'

/** Resources of an execution besides its scenario. */
export interface Resources {
  environment: RunEnvironment
  credentials: HostCredentials | null
  outbound: Outbound
  /** By id: those that `call` steps name. */
  components: Readonly<Record<string, ComponentSource>>
  /** By id: those that `scenario` steps name. */
  scenarios: Readonly<Record<string, PlannedScenario>>
  folder(): Promise<string>
  commandWalls(): ProgramWalls
  /** COMMAND_STEPS */
  commandSteps: boolean
  evaluation: Evaluation
  addCoverage(coverage: readonly MeasuredCoverage[]): void
  files: RunFiles
}

/** Makes the context of one step. @throws RunError RUNNER_OFF */
export function contextOf(step: Step, context: RunContext, resources: Resources): StepContext {
  const { environment, credentials, outbound, folder, commandWalls, evaluation } = resources
  const { runner } = kindOf(step)
  if (runner === 'COMMAND' && !resources.commandSteps)
    throw new RunError('RUNNER_OFF', `Step ${step.id} starts a program: ${COMMAND_STEPS_OFF}`)
  if (runner !== null && !environment.runners.includes(runner)) {
    const message = refusalOf(environment, `run ${runner} steps`, 'runners', runner)
    throw new RunError('RUNNER_OFF', message)
  }
  const within = [...context.within, step.id]
  return {
    signal: context.signal,
    environment,
    credentials,
    outbound,
    folder,
    commandWalls,
    evaluation,
    addCoverage: resources.addCoverage,
    attach: (from, patterns) =>
      attachFiles(
        { from, patterns, maxBytes: resources.files.bytesOfOne, signal: context.signal },
        async (file) => {
          const kept = await resources.files.keep(file)
          if (typeof kept !== 'string') context.evidence?.attachments.push(kept)
          else context.run.log.write('WARN', step.id, notKept(`${file.name} ${kept}`))
        },
        (reason) => context.run.log.write('WARN', step.id, notKept(reason)),
      ),
    exchanged(exchange) {
      if (context.evidence) context.evidence.exchange = exchange
    },
    log: (level, text) => context.run.log.write(level, step.id, text),
    call: async (id, name, args) => {
      const component = id === null ? context.planned.component : resources.components[id]
      if (!component) throw new RunError('UNKNOWN_NAME', noComponent(id))
      const stub = stubFor({ component, name, args }, context, resources)
      const made = { component: component.name, function: name, args }
      if (context.evidence) context.evidence.call = made
      if (stub) context.run.log.write('INFO', component.name, `${name} is answered by a stub`)
      if (stub?.throws !== undefined) throw new RunError('SCRIPT_ERROR', `Thrown: ${stub.throws}`)
      const result = stub
        ? stub.returns
        : await context.components.call(component, name, args, context.signal)
      if (context.evidence) context.evidence.call = { ...made, result }
      return result
    },
    runSteps: (steps, maxParallel) => runInParallel(steps, { ...context, within }, maxParallel),
    async runScenario(id, variables) {
      const planned = resources.scenarios[id]
      if (!planned) throw new RunError('UNKNOWN_NAME', `There is no scenario ${id}`)
      const scope = scopeOf(planned, context.scope, variables)
      const stubs = [...context.stubs, ...stubsOf(planned)]
      const outcome = await runBody({ ...context, within, planned, scope, stubs })
      context.run.captures.release(scope.capture)
      return { ...outcome, captured: scope.capture }
    },
    report: (cases) => report(cases, { ...context, within }),
  }
}

const notKept = (reason: string) => `Not attached: ${reason}`

const noComponent = (id: string | null) =>
  id === null
    ? 'The scenario has no component under test: set componentUnderTest, or component of the step'
    : `There is no component ${id}`

/** Names of a scenario when it begins. @throws RunError UNKNOWN_NAME, TEMPLATE_LIMIT */
export function scopeOf(
  { name, scenario: { variables = {} } }: PlannedScenario,
  { env, setup }: Pick<Scope, 'env' | 'setup'>,
  given: Readonly<Record<string, unknown>> = {},
): Scope {
  const empty = { row: {}, capture: {}, env, var: {}, setup }
  try {
    return { ...empty, var: { ...fillIn(variables, empty), ...given } }
  } catch (error) {
    if (!(error instanceof RunError)) throw error
    throw new RunError(error.code, `Variables of ${name}: ${error.message}`)
  }
}

/** A stub, and the component of the scenario that it belongs to. */
export const stubsOf = ({
  component,
  scenario: { stubs = [] },
}: PlannedScenario): RunContext['stubs'] => stubs.map((stub) => ({ ...stub, under: component }))

function stubFor(
  { component, name, args }: { component: ComponentSource; name: string; args: readonly unknown[] },
  { stubs, scope }: RunContext,
  { components }: Resources,
) {
  const budget = createInsertBudget()
  const stub = stubs.find((each) => {
    const stubbed = each.component === undefined ? each.under : components[each.component]
    if (each.function !== name || !stubbed || !isSameComponent(stubbed, component)) return false
    return each.args === undefined || jsonEquals(fillIn(each.args, scope, budget), args)
  })
  return stub && fillIn({ returns: stub.returns, throws: stub.throws }, scope, budget)
}

/** Tests that are written down in one turn of the event loop. */
const CASES_IN_A_TURN = 250

/** Maximum output of all tests of a step: a part of what the log of an execution takes. */
const MAX_REPORTED_LOG = 1024 * 1024

/** Those whose output is shown: of tests that are bad first. */
function shownLogs(cases: readonly ReportedCase[]) {
  const isBad = ({ state }: ReportedCase) => state === 'FAILED' || state === 'ERROR'
  const written = cases.filter(({ log }) => log.trim() !== '')
  let left = MAX_REPORTED_LOG
  const shown = new Set<ReportedCase>()
  for (const each of written.toSorted((a, b) => Number(isBad(b)) - Number(isBad(a)))) {
    const bytes =
      Buffer.byteLength(each.log) + each.log.split('\n').length * (each.name.length + 30)
    if (bytes > left) continue
    left -= bytes
    shown.add(each)
  }
  return { cases: shown, leftOut: written.length - shown.size }
}

/** Characters of all messages of a step; an execution takes four times as much, and counts failures twice. */
const MAX_REPORTED_MESSAGES = 512 * 1024
/** Characters of each where all are longer. */
const SHORT_MESSAGE = 2_000

async function report(
  cases: readonly ReportedCase[],
  { run, within, datasetRow, signal }: RunContext,
) {
  const size = cases.reduce((sum, { message }) => sum + message.length, 0)
  const isMuch = size > MAX_REPORTED_MESSAGES
  const kept = (message: string) => (isMuch ? message.slice(0, SHORT_MESSAGE) : message)
  if (isMuch)
    run.log.write(
      'WARN',
      within.at(-1) ?? '',
      `Messages of tests have ${size} characters, at most ${MAX_REPORTED_MESSAGES} are kept: each ends at ${SHORT_MESSAGE}`,
    )
  const failures: Outcome['failures'] = []
  const shown = shownLogs(cases)
  if (shown.leftOut > 0)
    run.log.write('WARN', within.at(-1) ?? '', `Output of ${shown.leftOut} tests is left out`)
  for (const [at, each] of cases.entries()) {
    const { name, state, durationMs, tries } = each
    const message = kept(each.message)
    if (at % CASES_IN_A_TURN === 0) {
      await nextTurn()
      signal.throwIfAborted()
    }
    const place = { id: `test[${at}]`, within, name, kind: 'test', datasetRow }
    run.journal.add(place, { state, durationMs, message, tries })
    if (shown.cases.has(each)) run.log.write('INFO', name, each.log.trimEnd())
    if (state !== 'FAILED') continue
    const values = { expectedValue: null, actualValue: null }
    const unmet = { name, path: '$', assert: 'test' as const, ...values }
    const failure = run.journal.failure({ ...unmet, message: `${name}: ${message}` }, place)
    failures.push({ ...failure, stepPath: [...within, place.id].join('/') })
  }
  const error = cases.find(({ state }) => state === 'ERROR')
  const fault = error && new RunError('REPORTED_ERROR', `${error.name}: ${error.message}`)
  return { failures, fault: fault ?? null }
}
