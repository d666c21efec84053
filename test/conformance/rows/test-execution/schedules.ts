import { create, send, unique } from '../../artifacts.ts'
import { call, expectError } from '../../calls.ts'
import { inSection } from '../../row.ts'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/

const open = () => create('testcase', { allowExecuteWithoutCredentials: true })

export const schedules = inSection('TX', 'Resources: artifact', [
  {
    id: 'TX-330',
    rule: 'A schedule MUST have cron, timeZone, target, environment, credentialsFrom, labels, missed, overlap, spread and enabled, and show nextRuns, lastRunAt and lastResultId, which a PUT ignores.',
    check: async () => {
      const { id: target } = await open()
      const made = await create('schedule', { target, cron: '0 12 * * *', enabled: true })
      expect(made).toMatchObject({
        ...{ target, cron: '0 12 * * *', timeZone: 'UTC', environment: null },
        ...{ credentialsFrom: null, labels: {}, missed: 'SKIP', overlap: 'SKIP' },
        ...{ spread: '0s', enabled: true, lastRunAt: null, lastResultId: null },
        nextRuns: Array(3).fill(expect.stringMatching(TIMESTAMP)),
      })
      const { status, body } = await send('PUT', `/schedule/${made.id}`, made)
      expect([status, body]).toEqual([200, made])
      const off = await send('PUT', `/schedule/${made.id}`, { ...made, enabled: false })
      expect(off.body.nextRuns).toEqual([])
    },
  },
  {
    id: 'TX-331',
    rule: 'A scenario, suite or environment that a schedule names MUST not be deleted; 409 names the schedule.',
    check: async () => {
      const { id: target } = await open()
      const { id: suite } = await create('suite', { testCases: [target] })
      const { id: environment } = await create('environment')
      const { id } = await create('schedule', { target: suite, environment, cron: '@daily' })
      const { id: other } = await create('schedule', { target, cron: '@daily' })
      for (const [path, user] of [
        [`/suite/${suite}`, id],
        [`/environment/${environment}`, id],
        [`/testcase/${target}`, other],
      ]) {
        const refused = await call('DELETE', String(path))
        expectError(refused, 409, 'CONFLICT')
        expect(JSON.stringify(refused.body)).toContain(`the schedule ${user}`)
      }
    },
  },
  {
    id: 'TX-332',
    rule: 'A schedule whose cron has not exactly five fields or no run within eight years, whose zone has no name, or whose target does not exist, MUST be refused with 400.',
    check: async () => {
      const { id: target } = await open()
      for (const fault of [
        ...['', '5 *', '0 0 1 * * *', '@reboot', '0 0 30 2 *', '60 * * * *'].map((cron) => ({
          cron,
        })),
        ...['', '+02:00', 'Berlin'].map((timeZone) => ({ timeZone })),
        { target: unique('none') },
        { spread: 'soon' },
      ]) {
        const given = { name: unique('schedule'), cron: '@daily', target, ...fault }
        expectError(await send('POST', '/schedule', given), 400, 'BAD_USER_INPUT')
      }
    },
  },
  {
    id: 'TX-333',
    rule: 'An enabled schedule of scenarios that need host credentials MUST name a secret of its environment in credentialsFrom; else 400.',
    check: async () => {
      const { id: target } = await create('testcase')
      const { id: environment } = await create('environment', {
        secrets: [{ name: 'HOST', value: 'ci:secret' }],
      })
      const store = (attributes: object) =>
        send('POST', '/schedule', {
          name: unique('schedule'),
          cron: '@daily',
          target,
          ...attributes,
        })
      expectError(await store({}), 400, 'BAD_USER_INPUT')
      expectError(await store({ environment, credentialsFrom: 'NONE' }), 400, 'BAD_USER_INPUT')
      expectError(await store({ credentialsFrom: 'HOST' }), 400, 'BAD_USER_INPUT')
      expect((await store({ environment, credentialsFrom: 'HOST' })).status).toBe(201)
      expect((await store({ enabled: false })).status).toBe(201)
    },
  },
])
