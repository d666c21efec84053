import { startOrm } from '../../../platform/database/orm.ts'
import { HorizonRepository } from '../../../platform/position/horizon.repository.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import { ownBatch } from '../../../subgraphs/events/ingestion/execution-event.ts'
import { WriterRepository } from '../../../subgraphs/events/ingestion/writer.repository.ts'
import { STORAGE } from '../../../subgraphs/events/storage.ts'
import { PartitionRepository } from '../../../subgraphs/events/tables/partition.repository.ts'
import { createMigratedDatabase } from '../../support/database.ts'

const occurrence = (ref: string, key: string) =>
  ownBatch(
    {
      ...{ key, title: 'Disk full', message: '', severity: 'ERROR', status: 'OPEN' },
      ...{ eventClass: 'test', source: { ref, type: 'host', name: ref }, properties: { ref } },
      createdAt: new Date().toISOString(),
    },
    new Date(),
  )

test('each transaction that has noted a change wakes the judge once, behind its commit, whatever else commits', async () => {
  const { url, drop } = await createMigratedDatabase()
  const orm = await startOrm({ url, ...STORAGE })
  try {
    await new PartitionRepository(orm).ensure(new Date())
    const horizon = new HorizonRepository(orm.em, 'events', createLogger('silent', 'test'))
    const wakes: Promise<unknown[]>[] = []
    const wake = () => {
      wakes.push(orm.em.fork().execute('select event_id from events.state_change'))
    }
    const writer = new WriterRepository(orm, horizon, { isOn: true, wake })
    await Promise.all([
      writer.write([occurrence('a', '1')]),
      writer.write([occurrence('b', '2')]),
      writer.write([occurrence('c', '3')]),
    ])
    const seen = await Promise.all(wakes)
    expect(seen).toHaveLength(3)
    expect(Math.max(...seen.map((rows) => rows.length))).toBe(3)
    await writer.write([occurrence('a', '4')])
    expect(wakes).toHaveLength(3)
  } finally {
    await orm.close()
    await drop()
  }
})
