import { GraphQLJSONObject } from 'graphql-scalars'
import { Arg, Directive, Query, Resolver } from 'type-graphql'
import { compileMapping, type ReceiverMapping } from '../../../../formats/received/mapping.ts'
import { currentTime } from '../../../../platform/process/clock.ts'
import { type Artifact, attributesOf, type CheckTools } from '../artifact.kind.ts'
import { type ArtifactServices, artifactResolver } from '../artifact.resolver.ts'
import { completeFields } from '../artifact.validation.ts'
import { RECEIVER } from './receiver.kind.ts'
import {
  PreviewReceiverInput,
  Receiver,
  ReceiverConnection,
  ReceiverInput,
  ReceiverPreview,
} from './receiver.type.ts'

const MAX_PREVIEWED = 100
const MAX_ITEMS = 10_000

interface ReceiverServices extends ArtifactServices {
  tools: CheckTools
}

@Resolver(() => Receiver)
export class ReceiverResolver extends artifactResolver(RECEIVER, {
  artifact: Receiver,
  connection: ReceiverConnection,
  attributes: ReceiverInput,
}) {
  readonly #tools: CheckTools

  constructor(services: ReceiverServices) {
    super(services)
    this.#tools = services.tools
  }

  @Query(() => ReceiverPreview, {
    description: 'Tries a receiver against a body; nothing is stored.',
  })
  async receiverPreview(
    @Arg('input', () => PreviewReceiverInput) { receiver, body }: PreviewReceiverInput,
  ): Promise<ReceiverPreview> {
    const { id: _, name: __, description: ___, ...given } = attributesOf(receiver as Artifact) // judged next
    const mapping = await completeFields(RECEIVER, given, this.#tools)
    const map = compileMapping(mapping as unknown as ReceiverMapping) // as it was checked
    const received = map(body, currentTime(), MAX_ITEMS)
    return {
      total: received.length,
      events: received
        .slice(0, MAX_PREVIEWED)
        .map((each) =>
          'refused' in each
            ? { event: null, occurrenceId: null, refused: each.refused }
            : { event: each.event, occurrenceId: each.key ?? null, refused: null },
        ),
    }
  }

  /** Asked by the gateway itself, for what comes to the address of a receiver; no client can see it. */
  @Directive('@inaccessible')
  @Query(() => GraphQLJSONObject, {
    nullable: true,
    description: 'The receiver with this name, or else id, and its secret.',
  })
  async storedReceiver(
    @Arg('name', () => String, { description: 'Which one.' }) name: string,
  ): Promise<object | null> {
    const found =
      (await this.artifacts.findNamed(RECEIVER, name)) ??
      (await this.artifacts.find(RECEIVER, name))
    if (!found) return null
    return { ...found, secret: await this.artifacts.openSecret(RECEIVER, found.id, 'secret') }
  }
}
