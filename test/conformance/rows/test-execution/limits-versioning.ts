import { create, idsOf, unique } from '../../artifacts.ts'
import { call } from '../../calls.ts'
import { synchronousRun } from '../../executions.ts'
import { inSection } from '../../row.ts'

export const limits = inSection('TX', 'Limits', [
  {
    id: 'TX-160',
    rule: 'Details MUST be deleted DETAILS_RETENTION_DAYS (30) after the end: then 410 for them, while the simple result stays.',
    todo: 'test execution',
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
