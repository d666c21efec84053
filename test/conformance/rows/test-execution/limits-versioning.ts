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
    todo: 'REST bridge',
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
