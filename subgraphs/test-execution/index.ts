import { buildSubgraph, subgraphSdl } from '../shared/build-subgraph.ts'
import { startOrm } from '../shared/orm.ts'
import { withReleasers } from '../shared/releasers.ts'
import { createSecrets } from '../shared/secrets.ts'
import type { Subgraph, SubgraphDeps } from '../shared/subgraph.ts'
import { ArtifactEntity } from './artifacts/artifact.entity.ts'
import { ArtifactRepository } from './artifacts/artifact.repository.ts'
import type { ArtifactServices } from './artifacts/artifact.resolver.ts'
import { ArtifactService } from './artifacts/artifact.service.ts'
import { artifactResolvers, KINDS } from './artifacts/kinds.ts'
import { ArtifactListRepository } from './artifacts/list/artifact-list.repository.ts'
import { ArtifactListService } from './artifacts/list/artifact-list.service.ts'
import { loadExamples } from './artifacts/load-examples.ts'
import { ExecutionEntity, ExecutionUpdateEntity } from './executions/execution.entity.ts'
import { EXECUTE, EXECUTION_LOST } from './executions/execution.queues.ts'
import { ExecutionRepository } from './executions/execution.repository.ts'
import { ExecutionResolver } from './executions/execution.resolver.ts'
import { ExecutionService } from './executions/execution.service.ts'
import { ExecutionUpdates } from './executions/execution.updates.ts'
import { serveExecutions } from './executions/execution.worker.ts'
import { Migration001Initial } from './migrations/migration-001-initial.ts'
import { Migration003ArtifactLists } from './migrations/migration-003-artifact-lists.ts'
import {
  createSandbox,
  type SandboxCapabilities,
  type SandboxMode,
} from './runners/sandbox/sandbox.ts'

export interface TestExecutionDeps extends SubgraphDeps {
  /** 32 bytes in Base64; seals host credentials. */
  secretsKey: string
}

export const STORAGE = {
  schema: 'test_execution',
  entities: [ArtifactEntity, ExecutionEntity, ExecutionUpdateEntity],
  migrations: [
    { name: 'migration-001-initial', class: Migration001Initial },
    { name: 'migration-003-artifact-lists', class: Migration003ArtifactLists },
  ],
} as const

interface Services extends ArtifactServices {
  executions: ExecutionService
}

const resolversOf = ({ executions, ...services }: Services) => [
  ...artifactResolvers(services),
  new ExecutionResolver(executions, services.artifacts),
]

/** What this subgraph publishes of itself. Resolvers are only looked at, so they need no services. */
export const testExecutionSdl = (): Promise<string> => subgraphSdl(resolversOf({} as Services))

/** The subgraph of artifacts and executions. It accepts executions; a worker runs them. */
export const startTestExecution = (
  deps: TestExecutionDeps & { examples: boolean },
): Promise<Subgraph> =>
  withReleasers(async (releasers) => {
    const { jobs, pubSub, log, secretsKey } = deps
    const orm = await startOrm({ url: deps.databaseUrl, ...STORAGE })
    releasers.defer(() => orm.close())
    await jobs.declare(EXECUTION_LOST)
    await jobs.declare(EXECUTE)

    const secrets = createSecrets(secretsKey)
    const artifactRepository = new ArtifactRepository(orm.em, KINDS)
    const artifacts = new ArtifactService(artifactRepository, secrets)
    const lists = new ArtifactListService(new ArtifactListRepository(orm.em))
    if (deps.examples && (await artifactRepository.isEmpty())) await loadExamples(artifacts, log)

    const repository = new ExecutionRepository(orm.em, jobs)
    const updates = new ExecutionUpdates(repository, pubSub)
    const executions = new ExecutionService(repository, updates, artifacts, secrets, pubSub)
    const schema = await buildSubgraph({
      resolvers: resolversOf({ artifacts, lists, executions }),
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
        executionUpdated: async ({ id, after }: { id: string; after?: string | null }) =>
          updates.watch(await executions.get(id), after),
      },
    })
    return { schema, stop: () => releasers.release() }
  })

export interface WorkerOptions extends TestExecutionDeps {
  sandboxMode: SandboxMode
  /** Executions at a time. */
  slots: number
}

export interface Worker {
  /** How this machine isolates the code of components. */
  sandbox: SandboxCapabilities
  stop(): Promise<void>
}

/** Runs accepted executions until it is stopped. Stop the jobs first, so that running ones can end. */
export const startWorker = ({
  databaseUrl,
  secretsKey,
  sandboxMode,
  ...deps
}: WorkerOptions): Promise<Worker> =>
  withReleasers(async (releasers) => {
    const orm = await startOrm({ url: databaseUrl, ...STORAGE, poolSize: deps.slots + 1 })
    releasers.defer(() => orm.close())
    const sandbox = await createSandbox({ mode: sandboxMode })
    if (sandbox.capabilities.missing)
      deps.log.warn(sandbox.capabilities, 'Code is isolated less than it could be')
    await serveExecutions({
      ...deps,
      repository: new ExecutionRepository(orm.em, deps.jobs),
      secrets: createSecrets(secretsKey),
      sandbox,
    })
    return { sandbox: sandbox.capabilities, stop: () => releasers.release() }
  })
