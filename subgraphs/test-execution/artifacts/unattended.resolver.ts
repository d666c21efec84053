import type { GraphQLResolveInfo } from 'graphql'
import { FieldResolver, ID, Info, Resolver, Root } from 'type-graphql'
import { batched } from '../../../platform/async/turns.ts'
import { ExecutionContext } from '../executions/execution.type.ts'
import type { UnattendedState } from '../unattended/owner.ts'
import type { Artifact, ArtifactKind } from './artifact.kind.ts'
import { type ArtifactServices, type ArtifactTypes, artifactResolver } from './artifact.resolver.ts'
import { ENVIRONMENT } from './environment/environment.kind.ts'
import { Environment } from './environment/environment.type.ts'
import { SUITE } from './suite/suite.kind.ts'
import { TESTCASE } from './testcase/testcase.kind.ts'

type Shown = Artifact & { target: string; environment: string | null }

/** Reads the progress of several at once, by id. */
export interface States<State extends UnattendedState> {
  findAll(ids: readonly string[]): Promise<Map<string, State>>
}

/** As `artifactResolver`, with what kinds share that start executions without a person. */
export function unattendedResolver<State extends UnattendedState>(
  kind: ArtifactKind,
  types: ArtifactTypes,
) {
  @Resolver(() => types.artifact)
  abstract class UnattendedResolver extends artifactResolver(kind, types) {
    protected readonly stateOf: (id: string) => Promise<State | undefined>

    constructor(services: ArtifactServices, states: States<State>) {
      super(services)
      this.stateOf = batched((ids) => states.findAll(ids))
    }

    @FieldResolver(() => ExecutionContext, { description: 'The scenario or suite to execute.' })
    async target(@Root() { target }: Shown) {
      return (await this.artifacts.find(SUITE, target)) ?? this.artifacts.find(TESTCASE, target)
    }

    @FieldResolver(() => Environment, {
      nullable: true,
      description: 'Environment that the scenarios run in, instead of their own.',
    })
    environment(@Root() { environment }: Shown, @Info() info: GraphQLResolveInfo) {
      return environment && this.referenced(ENVIRONMENT, environment, info)
    }

    @FieldResolver(() => String, {
      description: 'The account whose rights its runs have: the one that stored it last.',
    })
    async storedBy(@Root() { id }: Artifact): Promise<string> {
      return (await this.stateOf(id))?.owner.user ?? 'anonymous'
    }

    @FieldResolver(() => Date, {
      nullable: true,
      description: 'When it last started an execution.',
    })
    async lastRunAt(@Root() { id }: Artifact): Promise<Date | null> {
      return (await this.stateOf(id))?.lastRunAt ?? null
    }

    @FieldResolver(() => ID, {
      nullable: true,
      description: 'Id of the result of that execution.',
    })
    async lastResultId(@Root() { id }: Artifact): Promise<string | null> {
      return (await this.stateOf(id))?.lastResultId ?? null
    }

    @FieldResolver(() => String, {
      nullable: true,
      description: 'Why its last time started nothing; null where it did.',
    })
    async failure(@Root() { id }: Artifact): Promise<string | null> {
      return (await this.stateOf(id))?.failure ?? null
    }
  }
  return UnattendedResolver
}
