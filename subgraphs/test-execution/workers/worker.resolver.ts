import { Directive, FieldResolver, Query, Resolver } from 'type-graphql'
import type { WorkerRepository } from './worker.repository.ts'
import { Server, type Worker, type WorkerSandbox } from './worker.type.ts'

/** Workers and their slots. Another subgraph knows the rest of the server. */
@Resolver(() => Server)
export class WorkerResolver {
  constructor(private readonly repository: Pick<WorkerRepository, 'list'>) {}

  @Directive('@shareable')
  @Query(() => Server, { description: 'Assay as it runs here.' })
  server(): object {
    return {}
  }

  @FieldResolver()
  workers(): Promise<Worker[]> {
    return this.repository.list()
  }

  @FieldResolver()
  async sandbox(): Promise<WorkerSandbox | null> {
    const sandboxes = (await this.repository.list()).map(({ sandbox }) => sandbox)
    return sandboxes.sort((one, other) => weakness(other) - weakness(one))[0] ?? null
  }
}

/** Strict mode runs nothing where a wall is missing. */
const weakness = ({ mode, missing }: WorkerSandbox): number =>
  mode === 'strict' ? 0 : 1 + missing.length
