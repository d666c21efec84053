import { Resolver } from 'type-graphql'
import { artifactResolver } from '../artifact.resolver.ts'
import { CHANNEL } from './channel.kind.ts'
import { Channel, ChannelConnection, ChannelInput } from './channel.type.ts'

@Resolver(() => Channel)
export class ChannelResolver extends artifactResolver(CHANNEL, {
  artifact: Channel,
  connection: ChannelConnection,
  attributes: ChannelInput,
}) {}
