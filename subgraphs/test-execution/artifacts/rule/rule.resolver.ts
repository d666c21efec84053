import type { GraphQLResolveInfo } from 'graphql'
import { FieldResolver, Info, Resolver, Root } from 'type-graphql'
import { artifactResolver } from '../artifact.resolver.ts'
import { CHANNEL } from '../channel/channel.kind.ts'
import { Channel } from '../channel/channel.type.ts'
import { RULE } from './rule.kind.ts'
import { Rule, RuleConnection, RuleInput } from './rule.type.ts'

@Resolver(() => Rule)
export class RuleResolver extends artifactResolver(RULE, {
  artifact: Rule,
  connection: RuleConnection,
  attributes: RuleInput,
}) {
  @FieldResolver(() => [Channel], { description: 'Channels that get its notifications.' })
  channels(@Root() { channels }: Rule, @Info() info: GraphQLResolveInfo) {
    return channels.map((id) => this.referenced(CHANNEL, id, info))
  }
}
