import { defineEntity, p } from '@mikro-orm/postgresql'

/** Event into which the end of an execution was counted. */
export const ExecutionEventEntity = defineEntity({
  name: 'ExecutionEventEntity',
  tableName: 'execution_event',
  properties: {
    executionId: p.text().primary(),
    eventId: p.uuid().primary(),
    contextId: p.text(),
    contextType: p.text().$type<'testcase' | 'suite'>(),
    at: p.datetime(6).defaultRaw('now()'),
  },
  primaryKeys: ['executionId', 'eventId'],
  indexes: [
    { name: 'execution_event_context_id_index', properties: ['contextId', 'eventId'] },
    { name: 'execution_event_event_id_index', properties: ['eventId'] },
    {
      name: 'execution_event_at_index',
      expression:
        'create index execution_event_at_index on events.execution_event using brin (at) with (pages_per_range = 16)',
    },
  ],
})
