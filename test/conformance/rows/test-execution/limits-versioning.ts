import { PgBoss } from 'pg-boss'
import { PRUNE_DETAILS } from '../../../../subgraphs/test-execution/executions/execution.ts'
import { create, idsOf, unique } from '../../artifacts.ts'
import { call, expectError, readUntil } from '../../calls.ts'
import { withSettings, withStore } from '../../configured.ts'
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
  {
    id: 'TX-178',
    rule: 'An import beyond a limit MUST be refused as a whole, with the limit, the setting that names it, and what to do.',
    check: () =>
      withSettings(IMPORT_LIMITS, async () => {
        const scenario = { name: 'a', state: 'COMPLETED' }
        const step = (...sizes: number[]) => ({
          ...scenario,
          attachments: sizes.map((size) => ({
            name: 'a.txt',
            base64: Buffer.alloc(size).toString('base64'),
          })),
        })
        const run = (...scenarios: object[]) =>
          ['/executions/import', { name: 'a', scenarios }] as const
        const events = (count: number, message = '') =>
          [
            '/v1/events/import',
            {
              items: Array.from({ length: count }, (_, at) => ({
                id: `${at}`,
                title: 'a',
                message,
              })),
            },
          ] as const
        for (const [[path, body], status, message] of [
          [run(scenario, scenario), 200, ''],
          [
            run(scenario, scenario, scenario),
            400,
            '3 in one import, expected 1 to 2 (IMPORT_SCENARIOS): split it',
          ],
          [
            run({ ...scenario, steps: [step(), step()] }),
            400,
            '2 in one import, expected at most 1 (IMPORT_STEPS): split it',
          ],
          [run({ ...scenario, steps: [step(20)] }), 200, ''],
          [
            run({ ...scenario, steps: [step(21)] }),
            400,
            '21 bytes, expected at most 20 (ATTACHMENT_BYTES): leave it out',
          ],
          [
            run({ ...scenario, steps: [step(20, 20)] }),
            400,
            '40 bytes in one import, expected at most 30 (ATTACHMENTS_BYTES): leave some out',
          ],
          [
            run({ ...scenario, message: 'a'.repeat(1_000) }),
            413,
            'accepts 1000 (IMPORT_BODY_BYTES): send less at a time',
          ],
          [events(2), 200, ''],
          [
            events(3),
            400,
            '3 in one import, expected 1 to 2 (IMPORT_EVENTS): send fewer at a time',
          ],
          [
            events(1, 'a'.repeat(1_000)),
            413,
            'accepts 1000 (IMPORT_BODY_BYTES): send less at a time',
          ],
        ] as const) {
          const answer = await call<{ message?: string }>('POST', path, {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
          expect([message, answer.status]).toEqual([message, status])
          if (status !== 200) expect(answer.body.message).toContain(message)
        }
        expect((await call('GET', '/result/count?filter={"type":"SUITE"}')).body).toBe(2)
      }),
  },
])

const IMPORT_LIMITS = {
  IMPORT_BODY_BYTES: '1000',
  IMPORT_EVENTS: '2',
  IMPORT_SCENARIOS: '2',
  IMPORT_STEPS: '1',
  ATTACHMENT_BYTES: '20',
  ATTACHMENTS_BYTES: '30',
}

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
