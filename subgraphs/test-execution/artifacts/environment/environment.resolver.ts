import { Resolver } from 'type-graphql'
import { artifactResolver } from '../artifact.resolver.ts'
import { ENVIRONMENT } from './environment.kind.ts'
import { Environment, EnvironmentConnection, EnvironmentInput } from './environment.type.ts'

@Resolver(() => Environment)
export class EnvironmentResolver extends artifactResolver(ENVIRONMENT, {
  artifact: Environment,
  connection: EnvironmentConnection,
  attributes: EnvironmentInput,
}) {}
