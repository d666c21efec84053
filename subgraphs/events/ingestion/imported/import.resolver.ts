import { Arg, Mutation, Resolver } from 'type-graphql'
import type { ImportService } from './import.service.ts'
import { EventImport, ImportEventsInput } from './import.type.ts'

@Resolver()
export class ImportResolver {
  constructor(private readonly imports: ImportService) {}

  @Mutation(() => [EventImport], {
    description:
      'Stores events of another product with their times, counts and statuses, in one transaction. `event` finds them by the ids that they had there. A repetition changes nothing.',
  })
  importEvents(
    @Arg('input', () => ImportEventsInput, { description: 'The events.' })
    { events }: ImportEventsInput,
  ): Promise<EventImport[]> {
    return this.imports.import(events)
  }
}
