import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import type { SandboxMode } from '../../../runner/sandbox/capabilities.ts'

@ObjectType({ description: 'An isolation of the operating system that a machine lacks.' })
export class MissingWall {
  @Field(() => String, { description: 'Which one.' })
  wall!: string

  @Field(() => String, { description: 'Why the machine lacks it.' })
  reason!: string
}

@ObjectType({ description: 'How code of components is isolated.' })
export class WorkerSandbox {
  @Field(() => String, {
    description:
      '`strict` runs no code where a wall is missing; `best-effort` runs it behind those that there are.',
  })
  mode!: SandboxMode

  @Field(() => [MissingWall], { description: 'The walls that are missing.' })
  missing!: readonly MissingWall[]
}

@ObjectType({ description: 'A process that runs executions.' })
export class Worker {
  @Field(() => ID, { description: 'New with each start of the process.' })
  id!: string

  @Field(() => String, { description: 'Its host and process id.' })
  name!: string

  @Field(() => String, { description: 'The version of Assay that it runs.' })
  version!: string

  @Field(() => Int, { description: 'Maximum number of executions at a time (WORKER_SLOTS).' })
  slots!: number

  @Field(() => Int, { description: 'Slots that ran an execution when it was last seen.' })
  used!: number

  @Field(() => WorkerSandbox, { description: 'How it isolates code of components.' })
  sandbox!: WorkerSandbox

  @Field(() => Date, { description: 'When it started.' })
  started!: Date

  @Field(() => Date, { description: 'Its last report; it reports every few seconds.' })
  lastSeen!: Date
}

/** The part of the server that this subgraph knows. */
@Directive('@shareable')
@ObjectType({ description: 'Assay as it runs here.' })
export class Server {
  @Field(() => [Worker], { description: 'The workers that live, in the order of their start.' })
  workers!: Worker[]

  @Field(() => WorkerSandbox, {
    nullable: true,
    description: 'The weakest isolation among the workers; null without workers.',
  })
  sandbox!: WorkerSandbox | null
}
