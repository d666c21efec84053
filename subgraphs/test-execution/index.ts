import { closeOrm, ormOptions, startOrm } from '../platform/database/orm.ts'
import { EXECUTION_ENDED } from '../platform/jobs/execution-ended.ts'
import { watchHorizon } from '../platform/metrics/horizon-metrics.ts'
import { watchPool } from '../platform/metrics/shared-metrics.ts'
import { ReadBudget } from '../platform/paging/read-budget.ts'
import { HorizonRepository } from '../platform/position/horizon.repository.ts'
import { withReleasers } from '../platform/process/releasers.ts'
import { createSecrets } from '../platform/secrets.ts'
import { buildSubgraph, subgraphSdl } from '../platform/subgraph/build-subgraph.ts'
import type { Subgraph } from '../platform/subgraph/subgraph.ts'
import { ApplyResolver } from './artifacts/apply/apply.resolver.ts'
import { ApplyService } from './artifacts/apply/apply.service.ts'
import { ArtifactSetRepository } from './artifacts/apply/artifact-set.repository.ts'
import { SetEvaluation } from './artifacts/apply/set-evaluation.ts'
import { ArtifactRepository } from './artifacts/artifact.repository.ts'
import type { ArtifactServices } from './artifacts/artifact.resolver.ts'
import { ArtifactService } from './artifacts/artifact.service.ts'
import { artifactResolvers } from './artifacts/artifact-resolvers.ts'
import { KINDS } from './artifacts/kinds.ts'
import { ArtifactListRepository } from './artifacts/list/artifact-list.repository.ts'
import { ArtifactListService } from './artifacts/list/artifact-list.service.ts'
import { loadExamples } from './artifacts/load-examples.ts'
import { ArtifactRevisionRepository } from './artifacts/revisions/artifact-revision.repository.ts'
import { DryRunResolver } from './artifacts/testcase/dry-run.resolver.ts'
import { ValidateResolver } from './artifacts/validate/validate.resolver.ts'
import { ValidateService } from './artifacts/validate/validate.service.ts'
import { AttachmentRepository } from './attachments/attachment.repository.ts'
import { AttachmentResolver } from './attachments/attachment.resolver.ts'
import type { AttachmentLimits } from './attachments/attachment.ts'
import { CALLBACK } from './callbacks/callback.queue.ts'
import { CallbackRepository } from './callbacks/callback.repository.ts'
import { CallbackDeliveryResolver, CallbackResolver } from './callbacks/callback.resolver.ts'
import { CallbackService } from './callbacks/callback.service.ts'
import type { TestExecutionDeps } from './deps.ts'
import { Admission } from './executions/admission.ts'
import { ComponentSuiteRepository } from './executions/component-suite.repository.ts'
import { ComponentSuiteService } from './executions/component-suite.service.ts'
import { ExecuteResolver } from './executions/execute.resolver.ts'
import { ExecutionPlanner } from './executions/execution.plan.ts'
import { ExecutionRepository } from './executions/execution.repository.ts'
import { ExecutionResolver } from './executions/execution.resolver.ts'
import { ExecutionService } from './executions/execution.service.ts'
import { EXECUTE, EXECUTION_LOST } from './executions/execution.ts'
import { ExecutionUpdates } from './executions/execution.updates.ts'
import type { ExecutionFilter } from './executions/execution-filter.ts'
import { ExecutionListRepository } from './executions/execution-list.repository.ts'
import {
  ExecutionListResolver,
  ResultsOfSuiteResolver,
  ResultsOfTestCaseResolver,
} from './executions/execution-list.resolver.ts'
import { ImportRepository } from './executions/imports/import.repository.ts'
import { ImportResolver } from './executions/imports/import.resolver.ts'
import { type ImportLimits, ImportService } from './executions/imports/import.service.ts'
import { InlineResolver } from './executions/inline/inline.resolver.ts'
import { InlineService } from './executions/inline/inline.service.ts'
import { LogLineRepository } from './executions/log-line.repository.ts'
import { LogLineResolver } from './executions/log-line.resolver.ts'
import { CodeCoverageResolver, StepResultResolver } from './executions/outcome.resolver.ts'
import { resultsBudget } from './executions/results-budget.ts'
import { StateChangeRepository } from './executions/state-change.repository.ts'
import { StateChanges } from './executions/state-changes.ts'
import { ComparisonResolver } from './executions/statistics/comparison.resolver.ts'
import { StatisticsRepository } from './executions/statistics/statistics.repository.ts'
import { StatisticsResolver } from './executions/statistics/statistics.resolver.ts'
import { TriesResolver } from './executions/tries.resolver.ts'
import type { Evaluation } from './runners/evaluation/evaluation.ts'
import { STORAGE } from './storage.ts'
import { WorkerRepository } from './workers/worker.repository.ts'
import { WorkerResolver } from './workers/worker.resolver.ts'

export { artifactFileSchema } from './artifacts/file-schema.ts'
export { startEvaluation } from './runners/evaluation/evaluation.ts'
export type { SandboxCapabilities } from './runners/sandbox/sandbox.ts'
export { startWorker } from './start-worker.ts'
export { STORAGE }

interface Services extends ArtifactServices {
  apply: ApplyService
  validate: ValidateService
  inline: InlineService
  executions: ExecutionService
  executionLists: ExecutionListRepository
  stateChanges: StateChanges
  logLines: LogLineRepository
  statistics: StatisticsRepository
  componentSuites: ComponentSuiteService
  callbacks: CallbackService
  commandSteps: boolean
  evaluation: Evaluation
  results: ReadBudget
  attachments: AttachmentRepository
  imports: ImportService
  workers: WorkerRepository
}

const resolversOf = ({
  apply,
  validate,
  inline,
  executions,
  executionLists,
  stateChanges,
  logLines,
  statistics,
  componentSuites,
  callbacks,
  evaluation,
  results,
  attachments,
  imports,
  workers,
  ...services
}: Services) => [
  ...artifactResolvers(services),
  new ApplyResolver(apply),
  new ExecuteResolver(executions, componentSuites),
  new InlineResolver(inline),
  new ExecutionListResolver(executionLists, stateChanges),
  new ResultsOfTestCaseResolver(executionLists),
  new ResultsOfSuiteResolver(executionLists),
  new ExecutionResolver(executions, services.artifacts, results),
  new ImportResolver(imports),
  new TriesResolver(results),
  new AttachmentResolver(attachments, results),
  new LogLineResolver(logLines),
  new StatisticsResolver(statistics),
  new ComparisonResolver(executions, statistics),
  new CodeCoverageResolver(),
  new StepResultResolver(),
  new DryRunResolver(services.artifacts, evaluation, services.commandSteps, validate),
  new ValidateResolver(validate),
  new CallbackResolver(callbacks),
  new CallbackDeliveryResolver(executions, callbacks),
  new WorkerResolver(workers),
]

/** What this subgraph publishes of itself. Resolvers are only looked at, so they need no services. */
export const testExecutionSdl = (): Promise<string> => subgraphSdl(resolversOf({} as Services))

/** The subgraph of artifacts and executions. It accepts executions; a worker runs them. */
export const startTestExecution = (
  deps: TestExecutionDeps & {
    examples: boolean
    pageBytes?: number
    /** EXECUTIONS_QUEUE */
    executionsQueue?: number
    /** As documented if absent, as is `attachmentLimits`. */
    imports?: ImportLimits
    attachmentLimits?: AttachmentLimits
  },
): Promise<Subgraph> =>
  withReleasers(async (releasers) => {
    const { jobs, pubSub, log } = deps
    const evaluation = deps.evaluation.ofRequests
    const orm = await startOrm({ ...ormOptions(deps), log, ...STORAGE })
    releasers.defer(() => closeOrm(orm))
    if (deps.metrics) watchPool(deps.metrics, 'test-execution', orm.em)
    await jobs.declare(EXECUTION_LOST)
    await jobs.declare(EXECUTE)
    // Served elsewhere; imports end here.
    await jobs.declare(EXECUTION_ENDED)
    await jobs.declare(CALLBACK)

    const secrets = createSecrets(deps)
    const artifactRepository = new ArtifactRepository(orm.em, KINDS)
    const artifacts = new ArtifactService(artifactRepository, secrets, evaluation)
    const setEvaluation = () => new SetEvaluation(evaluation, deps.evaluation.budget)
    const lists = new ArtifactListService(
      new ArtifactListRepository(orm.em, new ReadBudget(deps.pageBytes)),
    )
    if (deps.examples && (await artifactRepository.isEmpty())) await loadExamples(artifacts, log)

    const results = resultsBudget(deps.pageBytes)
    const repository = new ExecutionRepository(orm.em, jobs, results)
    const updates = new ExecutionUpdates(repository, pubSub)
    releasers.defer(() => updates.stop())
    const horizon = new HorizonRepository(orm.em, STORAGE.schema, log)
    if (deps.metrics) watchHorizon(deps.metrics, STORAGE.schema, horizon)
    const stateChanges = new StateChanges(new StateChangeRepository(orm.em, horizon), pubSub)
    releasers.defer(() => stateChanges.stop())
    const executions = new ExecutionService(repository, {
      updates,
      planner: new ExecutionPlanner(artifacts, deps.commandSteps),
      secrets,
      pubSub,
      outbound: deps.outbound,
      admission: new Admission((atMost) => repository.waiting(atMost), deps.executionsQueue),
    })
    const componentSuites = new ComponentSuiteService(
      artifacts,
      lists,
      new ComponentSuiteRepository(orm.em),
    )
    const callbacks = new CallbackService(new CallbackRepository(orm.em, jobs), secrets)
    const schema = await buildSubgraph({
      resolvers: resolversOf({
        artifacts,
        lists,
        revisions: new ArtifactRevisionRepository(orm.em),
        apply: new ApplyService(new ArtifactSetRepository(orm.em), secrets, setEvaluation),
        validate: new ValidateService(artifacts, secrets, setEvaluation),
        inline: new InlineService(executions, artifacts, secrets, setEvaluation),
        executions,
        executionLists: new ExecutionListRepository(orm.em, results),
        stateChanges,
        logLines: new LogLineRepository(orm.em, results),
        statistics: new StatisticsRepository(orm.em),
        componentSuites,
        callbacks,
        commandSteps: deps.commandSteps,
        evaluation,
        results,
        attachments: new AttachmentRepository(orm.em),
        imports: new ImportService(
          new ImportRepository(orm.em, jobs),
          (id) => executions.get(id),
          deps,
        ),
        workers: new WorkerRepository(orm.em),
      }),
      references: {
        ...Object.fromEntries(
          KINDS.map((kind) => [
            kind.typeName,
            ({ id }: { id: string }) => artifacts.load(kind, id),
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
    return { schema, stop: () => releasers.release() }
  })
