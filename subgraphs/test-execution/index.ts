import { closeOrm, ormOptions, startOrm } from '../../platform/database/orm.ts'
import { ARTIFACT_STORED } from '../../platform/jobs/artifact-stored.ts'
import { EXECUTION_ENDED } from '../../platform/jobs/execution-ended.ts'
import { OWN_EVENT } from '../../platform/jobs/own-event.ts'
import { TRIGGER_FIRED, type TriggerFired } from '../../platform/jobs/trigger-fired.ts'
import { watchHorizon } from '../../platform/metrics/horizon-metrics.ts'
import { watchPool } from '../../platform/metrics/shared-metrics.ts'
import { ReadBudget } from '../../platform/paging/read-budget.ts'
import { HorizonRepository } from '../../platform/position/horizon.repository.ts'
import { withReleasers } from '../../platform/process/releasers.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { buildSubgraph, subgraphSdl } from '../../platform/subgraph/build-subgraph.ts'
import type { Subgraph } from '../../platform/subgraph/subgraph.ts'
import type { AttachmentLimits } from '../../runner/run/attachment.ts'
import { ApplyResolver } from './artifacts/apply/apply.resolver.ts'
import { ApplyService } from './artifacts/apply/apply.service.ts'
import { ArtifactSetRepository } from './artifacts/apply/artifact-set.repository.ts'
import { SetEvaluation } from './artifacts/apply/set-evaluation.ts'
import type { CheckTools } from './artifacts/artifact.kind.ts'
import { ArtifactRepository } from './artifacts/artifact.repository.ts'
import type { ArtifactServices } from './artifacts/artifact.resolver.ts'
import { ArtifactService } from './artifacts/artifact.service.ts'
import { ArtifactForwarding } from './artifacts/artifact-forwarding.repository.ts'
import { ChannelResolver } from './artifacts/channel/channel.resolver.ts'
import { ComponentResolver } from './artifacts/component/component.resolver.ts'
import { EnvironmentResolver } from './artifacts/environment/environment.resolver.ts'
import { KINDS } from './artifacts/kinds.ts'
import { ArtifactListRepository } from './artifacts/list/artifact-list.repository.ts'
import { ArtifactListService } from './artifacts/list/artifact-list.service.ts'
import { loadExamples } from './artifacts/load-examples.ts'
import { ReceiverResolver } from './artifacts/receiver/receiver.resolver.ts'
import { ArtifactRevisionRepository } from './artifacts/revisions/artifact-revision.repository.ts'
import { RuleResolver } from './artifacts/rule/rule.resolver.ts'
import { ScheduleResolver } from './artifacts/schedule/schedule.resolver.ts'
import { SilenceResolver } from './artifacts/silence/silence.resolver.ts'
import { SuiteResolver, SuitesOfTestCaseResolver } from './artifacts/suite/suite.resolver.ts'
import { DryRunResolver } from './artifacts/testcase/dry-run.resolver.ts'
import {
  TestCaseResolver,
  TestCasesOfComponentResolver,
} from './artifacts/testcase/testcase.resolver.ts'
import { CallTriggerResolver, TriggerResolver } from './artifacts/trigger/trigger.resolver.ts'
import { ValidateResolver } from './artifacts/validate/validate.resolver.ts'
import { ValidateService } from './artifacts/validate/validate.service.ts'
import { AttachmentRepository } from './attachments/attachment.repository.ts'
import { AttachmentResolver } from './attachments/attachment.resolver.ts'
import { CALLBACK } from './callbacks/callback.queue.ts'
import { CallbackRepository } from './callbacks/callback.repository.ts'
import { CallbackDeliveryResolver, CallbackResolver } from './callbacks/callback.resolver.ts'
import { CallbackService } from './callbacks/callback.service.ts'
import { OpenCallbacks } from './callbacks/open-callbacks.ts'
import type { TestExecutionDeps } from './deps.ts'
import { Admission } from './executions/accept/admission.ts'
import { AgainService } from './executions/accept/again.service.ts'
import { ExecuteResolver } from './executions/accept/execute.resolver.ts'
import { InlineResolver } from './executions/accept/inline.resolver.ts'
import { InlineService } from './executions/accept/inline.service.ts'
import { ExecutionPlanner } from './executions/accept/plan.ts'
import { CauseRepository } from './executions/causes/cause.repository.ts'
import {
  CauseOfExecutionResolver,
  CauseResolver,
  FailingSinceResolver,
} from './executions/causes/cause.resolver.ts'
import { CauseService } from './executions/causes/cause.service.ts'
import { FailingSinceRepository } from './executions/causes/failing-since.repository.ts'
import { ExecutionRepository } from './executions/execution.repository.ts'
import { ExecutionService } from './executions/execution.service.ts'
import { EXECUTE, EXECUTION_LOST } from './executions/execution.ts'
import { ImportRepository } from './executions/imports/import.repository.ts'
import { ImportResolver } from './executions/imports/import.resolver.ts'
import { type ImportLimits, ImportService } from './executions/imports/import.service.ts'
import type { ExecutionFilter } from './executions/list/filter.ts'
import { ExecutionListRepository } from './executions/list/list.repository.ts'
import {
  ExecutionListResolver,
  ResultsOfSuiteResolver,
  ResultsOfTestCaseResolver,
} from './executions/list/list.resolver.ts'
import {
  ExecutedRevisionResolver,
  ExecutionResolver,
} from './executions/read/execution.resolver.ts'
import { LogLineRepository } from './executions/read/log-line.repository.ts'
import { LogLineResolver } from './executions/read/log-line.resolver.ts'
import { CodeCoverageResolver, StepResultResolver } from './executions/read/outcome.resolver.ts'
import { resultsBudget } from './executions/read/results-budget.ts'
import { TriesResolver } from './executions/read/tries.resolver.ts'
import { ComparisonResolver } from './executions/statistics/comparison.resolver.ts'
import { StatisticsRepository } from './executions/statistics/statistics.repository.ts'
import { StatisticsResolver } from './executions/statistics/statistics.resolver.ts'
import { ComponentSuiteRepository } from './executions/suite/component-suite.repository.ts'
import { ComponentSuiteService } from './executions/suite/component-suite.service.ts'
import { StateChangeRepository } from './executions/watch/state-change.repository.ts'
import { StateChanges } from './executions/watch/state-changes.ts'
import { ExecutionUpdates } from './executions/watch/updates.ts'
import { ScheduleStateRepository } from './schedules/schedule-state.repository.ts'
import { SchedulesResolver } from './schedules/schedules.resolver.ts'
import { STORAGE } from './storage.ts'
import { createUnattended, type ScheduleSettings } from './unattended/create-unattended.ts'
import { WorkerRepository } from './workers/worker.repository.ts'
import { WorkerResolver } from './workers/worker.resolver.ts'

/** The resolvers of all kinds, and of what leads back from an artifact to those that name it. */
const artifactResolvers = (services: ArtifactServices & { tools: CheckTools }): object[] => [
  new EnvironmentResolver(services),
  new ComponentResolver(services),
  new TestCaseResolver(services),
  new TestCasesOfComponentResolver(services),
  new SuiteResolver(services),
  new SuitesOfTestCaseResolver(services),
  new ChannelResolver(services),
  new RuleResolver(services),
  new SilenceResolver(services),
  new ReceiverResolver(services),
]

export { startEvaluation } from '../../runner/evaluation/evaluation.ts'
export type { SandboxCapabilities } from '../../runner/sandbox/sandbox.ts'
export { artifactFileSchema } from './artifacts/file-schema.ts'
export type { TestExecutionDeps } from './deps.ts'
export { startWorker } from './start-worker.ts'
export { STORAGE }

type Orm = Awaited<ReturnType<typeof startOrm>>
type Services = ReturnType<typeof createServices>

const resolversOf = (services: Services) => [
  ...artifactResolvers(services),
  new ScheduleResolver(services, services.scheduleStates),
  new TriggerResolver(services, services.triggerStates),
  new CallTriggerResolver(services.triggers),
  new SchedulesResolver(services.dueRuns, services.paused),
  new ApplyResolver(services.apply),
  new ExecuteResolver(services.executions, services.componentSuites, services.again),
  new InlineResolver(services.inline),
  new ExecutionListResolver(services.executionLists, services.stateChanges),
  new ResultsOfTestCaseResolver(services.executionLists),
  new ResultsOfSuiteResolver(services.executionLists),
  new ExecutedRevisionResolver(services.artifacts),
  new ExecutionResolver(services.executions, services.artifacts, services.results),
  new ImportResolver(services.imports),
  new TriesResolver(services.results),
  new AttachmentResolver(services.attachments, services.results),
  new LogLineResolver(services.logLines),
  new StatisticsResolver(services.statistics),
  new ComparisonResolver(services.executions, services.statistics),
  new CauseResolver(services.causes, services.verdicts, services.executions),
  new CauseOfExecutionResolver(services.verdicts, services.failingSince),
  new FailingSinceResolver(services.executions),
  new CodeCoverageResolver(),
  new StepResultResolver(),
  new DryRunResolver(
    services.artifacts,
    services.evaluation,
    services.commandSteps,
    services.validate,
  ),
  new ValidateResolver(services.validate),
  new CallbackResolver(services.callbacks),
  new CallbackDeliveryResolver(services.executions, services.callbacks),
  new WorkerResolver(services.workers),
]

/** SDL that this subgraph publishes. Resolvers are only looked at, so they need no services. */
export const testExecutionSdl = (): Promise<string> => subgraphSdl(resolversOf({} as Services))

interface SubgraphOptions extends TestExecutionDeps {
  examples: boolean
  pageBytes?: number
  /** EXECUTIONS_QUEUE */
  executionsQueue?: number
  /** SCHEDULES, and SCHEDULES_SHARE in percent. On, and as documented, if absent. */
  schedules?: ScheduleSettings
  /** OPEN_CALLBACKS_PER_MINUTE */
  openCallbacksPerMinute?: number
  /** As documented if absent, as is `attachmentLimits`. */
  imports?: ImportLimits
  attachmentLimits?: AttachmentLimits
}

/** The subgraph of artifacts and executions. It accepts executions; a worker runs them. */
export const startTestExecution = (
  deps: SubgraphOptions,
): Promise<Subgraph & { facts(): object }> =>
  withReleasers(async (releasers) => {
    const { jobs, log } = deps
    const orm = await startOrm({ ...ormOptions(deps), log, ...STORAGE })
    releasers.defer(() => closeOrm(orm))
    if (deps.metrics) watchPool(deps.metrics, 'test-execution', orm.em)
    await jobs.declare(EXECUTION_LOST)
    await jobs.declare(EXECUTE)
    // Served elsewhere; imports end here.
    await jobs.declare(EXECUTION_ENDED)
    await jobs.declare(ARTIFACT_STORED)
    await jobs.declare(OWN_EVENT)
    await jobs.declare(CALLBACK)

    const horizon = new HorizonRepository(orm.em, STORAGE.schema, log)
    if (deps.metrics) watchHorizon(deps.metrics, STORAGE.schema, horizon)
    const services = createServices(orm, horizon, deps)
    const { artifacts, executions, stateChanges, updates } = services
    releasers.defer(() => updates.stop())
    releasers.defer(() => stateChanges.stop())
    if (deps.examples && (await services.repository.isEmpty())) await loadExamples(artifacts, log)
    if (services.schedulesOn) {
      services.scheduler.start()
      releasers.defer(() => services.scheduler.stop())
    }
    await jobs.work<TriggerFired>(TRIGGER_FIRED, 1, ({ data }) => services.triggers.fire(data))
    const schema = await buildSubgraph({
      resolvers: resolversOf(services),
      references: {
        ...Object.fromEntries(
          KINDS.map((kind) => [
            kind.typeName,
            ({ id }: { id: string }) => artifacts.find(kind, id),
          ]),
        ),
        ExecutionResult: ({ id }: { id: string }) => executions.find(id),
      },
      streams: {
        executionUpdated: async (
          { id, after }: { id: string; after?: string | null },
          { caller },
        ) => {
          const execution = await executions.read(id, caller)
          return updates.watch(execution ?? (await executions.get(id)), after)
        },
        executionStateChanged: ({
          filter,
          after,
        }: {
          filter?: ExecutionFilter | null
          after?: string | null
        }) => stateChanges.watch(filter ?? {}, after),
      },
    })
    const { schedulesOn, scheduler } = services
    const facts = () => (schedulesOn && !scheduler.isHeld ? {} : { schedules: 'paused' })
    return { schema, facts, stop: () => releasers.release() }
  })

function createServices({ em }: Orm, horizon: HorizonRepository, deps: SubgraphOptions) {
  const { commandSteps, jobs, outbound, pageBytes, pubSub } = deps
  const secrets = createSecrets(deps)
  const evaluation = deps.evaluation.ofRequests
  const tools = { evaluation, outbound }
  const setEvaluation = () => new SetEvaluation(tools, deps.evaluation.budget)
  const forwarding = new ArtifactForwarding(jobs)
  const repository = new ArtifactRepository(em, KINDS, forwarding)
  const artifacts = new ArtifactService(repository, secrets, tools)
  const lists = new ArtifactListService(new ArtifactListRepository(em, new ReadBudget(pageBytes)))
  const results = resultsBudget(pageBytes)
  const stored = new ExecutionRepository(em, jobs, results)
  const updates = new ExecutionUpdates(stored, pubSub)
  const queue = deps.executionsQueue ?? Number.MAX_SAFE_INTEGER
  const accepting = {
    updates,
    planner: new ExecutionPlanner(artifacts, commandSteps),
    secrets,
    pubSub,
    outbound,
    openCallbacks: new OpenCallbacks(deps.openCallbacksPerMinute),
  }
  const executions = new ExecutionService(stored, {
    ...accepting,
    admission: new Admission((atMost) => stored.waiting(atMost), queue),
  })
  const settings = deps.schedules ?? { isOn: true, share: 50, needsSignIn: false }
  const unattended = createUnattended({
    ...{ em, jobs, executions: stored, accepting, artifacts, queue },
    ...{ evaluation, secrets, settings, log: deps.log },
  })
  const find = (id: string) => executions.get(id)
  const revisions = new ArtifactRevisionRepository(em)
  const causes = new CauseRepository(em)
  return {
    ...{ repository, artifacts, lists, tools, executions, updates, commandSteps, evaluation },
    ...{ results, schedulesOn: settings.isOn, ...unattended },
    revisions,
    again: new AgainService(executions, artifacts, revisions),
    apply: new ApplyService(new ArtifactSetRepository(em, forwarding), secrets, setEvaluation),
    validate: new ValidateService(artifacts, secrets, setEvaluation),
    inline: new InlineService(executions, artifacts, secrets, setEvaluation),
    executionLists: new ExecutionListRepository(em, results),
    stateChanges: new StateChanges(new StateChangeRepository(em, horizon), pubSub),
    logLines: new LogLineRepository(em, results),
    causes,
    verdicts: new CauseService(causes, artifacts),
    failingSince: new FailingSinceRepository(em),
    statistics: new StatisticsRepository(em),
    componentSuites: new ComponentSuiteService(artifacts, lists, new ComponentSuiteRepository(em)),
    callbacks: new CallbackService(new CallbackRepository(em, jobs), secrets),
    attachments: new AttachmentRepository(em),
    imports: new ImportService(new ImportRepository(em, jobs), find, evaluation, deps),
    workers: new WorkerRepository(em),
    scheduleStates: new ScheduleStateRepository(em),
  }
}
