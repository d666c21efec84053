import { Resolver } from 'type-graphql'
import { artifactResolver } from '../artifact.resolver.ts'
import { SILENCE } from './silence.kind.ts'
import { Silence, SilenceConnection, SilenceInput } from './silence.type.ts'

@Resolver(() => Silence)
export class SilenceResolver extends artifactResolver(SILENCE, {
  artifact: Silence,
  connection: SilenceConnection,
  attributes: SilenceInput,
}) {}
