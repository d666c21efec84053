import { PgBoss } from 'pg-boss'
import { PRUNE_DETAILS } from '../../../../subgraphs/test-execution/executions/execution.queues.ts'
import { create, idsOf, unique } from '../../artifacts.ts'
import { call, expectError, readUntil } from '../../calls.ts'
import { withStore } from '../../configured.ts'
import { execute, readDetails, readResult, synchronousRun } from '../../executions.ts'
import { inSection } from '../../row.ts'

/** Does at once what a schedule does every hour. */
async function askFor(queue: string, databaseUrl: string): Promise<void> {
  const boss = new PgBoss({ connectionString: databaseUrl, schedule: false, supervise: false })
  await boss.start()
  await boss.send(queue, {})
  await boss.stop()
}

export const limits = inSection('TX', 'Limits', [
  {
    id: 'TX-160',
    rule: 'Details MUST be deleted DETAILS_RETENTION_DAYS (30) after the end: then 410 for them, while the simple result stays.',
    check: () =>
      withStore(async (_, store) => {
        const ran = async () =>
          (await execute('/testcase/loan-schedule/execute?synchron=true')).body
        const [old, young] = [await ran(), await ran()]
        await store.query(
          "update test_execution.execution set ended = ended - interval '30 days' where id = $1",
          [old.id],
        )
        await askFor(PRUNE_DETAILS.name, store.url)
        const gone = await readUntil(
          () => readDetails(old.id),
          ({ status }) => status !== 200,
        )
        expectError(gone, 410, 'GONE')
        expect((await readResult(old.id)).body).toEqual({ ...old, ended: expect.any(String) })
        expect((await readDetails(young.id)).status).toBe(200)
      }),
  },
  {
    id: 'TX-161',
    rule: 'A list without paging parameters MUST hold the first 10 artifacts.',
    check: async () => {
      const tag = unique('ten')
      const ids: string[] = []
      for (let at = 0; at < 11; at++) ids.push((await create('suite', { name: `${tag} ${at}` })).id)
      expect(await idsOf('suite', { name: `${tag}*` })).toEqual(ids.slice(0, 10))
    },
  },
])

export const versioning = inSection('TX', 'Versioning', [
  {
    id: 'TX-162',
    rule: 'The addresses of this interface MUST NOT carry a version.',
    check: async () => {
      const { simple } = await synchronousRun('loan-schedule')
      expect((await call('GET', `/v1/result/${simple.id}`)).status).toBe(404)
      expect((await call('GET', `/result/${simple.id}`)).status).toBe(200)
    },
  },
])
