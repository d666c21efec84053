import { randomUUID } from 'node:crypto'
import { create } from '../../artifacts.ts'
import { call, expectError, readUntil } from '../../calls.ts'
import { type ExecutionResult, execute, readDetails, TIMESTAMP } from '../../executions.ts'
import { inSection } from '../../row.ts'

interface LogLine {
  time: string
  level: string
  source: string
  message: string
}

interface StoredEvent {
  id: string
  eventClass: string
}

export const resultParts = inSection('TX', 'Endpoints: read results', [
  {
    id: 'TX-230',
    rule: 'GET /result/{resultId}/details MUST give the coverage as lcov and as Cobertura XML with format=lcov and format=cobertura, and 409 while the execution runs.',
    check: async () => {
      const { id } = (await execute('/testcase/loan-schedule/execute?synchron=true')).body
      const details = (format: string, of = id) =>
        call<string>('GET', `/result/${of}/details?format=${format}`)
      const lcov = await details('lcov')
      expect(lcov.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(lcov.body).toMatch(/^TN:\nSF:Loan schedule\nDA:\d+,[01]\n[\s\S]*\nend_of_record\n$/)
      const cobertura = await details('cobertura')
      expect(cobertura.headers.get('content-type')).toBe('application/xml; charset=utf-8')
      expect(cobertura.body).toContain('<class name="Loan schedule"')
      const pause = await create('testcase', {
        scenario: { steps: [{ id: 'pause', wait: { ms: 60_000 } }] },
      })
      const running = (await execute(`/execute/${pause.id}`)).body.id
      expectError(await details('lcov', running), 409, 'CONFLICT')
      expect((await call('POST', `/result/${running}/cancel`)).status).toBe(200)
      expectError(await details('csv'), 400, 'BAD_USER_INPUT')
    },
  },
  {
    id: 'TX-231',
    rule: 'GET /result/{resultId}/log MUST list the log line by line, in pages, by level, source and text.',
    check: async () => {
      const { id } = await create('testcase', {
        scenario: { steps: ['one', 'two', 'three'].map((id) => ({ id, wait: { ms: 1 } })) },
      })
      const result = (await execute(`/execute/${id}?synchron=true`)).body.id
      const lines = (query = '') => call<LogLine[]>('GET', `/result/${result}/log${query}`)
      const all = await lines()
      expect(all.headers.get('x-total-count')).toBe(String(all.body.length))
      expect(all.body[0]).toEqual({
        time: expect.stringMatching(TIMESTAMP),
        level: expect.stringMatching(/^(DEBUG|INFO)$/),
        source: expect.any(String),
        message: expect.any(String),
      })
      const first = await lines('?limit=1')
      expect(first.body).toEqual(all.body.slice(0, 1))
      const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
      const second = await call<LogLine[]>('GET', next.replace(/^\/api/, ''))
      expect(second.body).toEqual(all.body.slice(1, 2))
      const own = all.body.filter(({ source }) => source === 'two')
      expect((await lines('?source=two')).body).toEqual(own)
      expect((await lines('?level=error')).body).toEqual([])
      expect((await lines(`?text=${randomUUID()}`)).body).toEqual([])
      expectError(await lines('?level=loud'), 400, 'BAD_USER_INPUT')
      expectError(await call('GET', '/result/none/log'), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'TX-233',
    rule: 'The log of an imported execution MUST have lines of the same form: a line of another form is the message of one.',
    check: async () => {
      const scenario = { name: 'a', state: 'FAILED', started: '2026-01-31T08:15:00.250Z' }
      const imported = await call<ExecutionResult>('POST', '/executions/import', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          name: 'imported log',
          scenarios: [{ ...scenario, log: 'one\r\n08:15:01.000 WARN Browser  two\n99:99 three' }],
        }),
      })
      const id = imported.body.testCaseResults[0]?.id ?? ''
      expect((await readDetails(id)).body.log).toBe(
        '08:15:00.250 INFO Import  one\n08:15:01.000 WARN Browser  two\n08:15:00.250 INFO Import  99:99 three\n',
      )
      const line = { time: '2026-01-31T08:15:00.250+0000', level: 'INFO', source: 'Import' }
      expect((await call('GET', `/result/${id}/log`)).body).toEqual([
        { ...line, message: 'one' },
        {
          ...{ time: '2026-01-31T08:15:01.000+0000', level: 'WARN', source: 'Browser' },
          message: 'two',
        },
        { ...line, message: '99:99 three' },
      ])
    },
  },
  {
    id: 'TX-232',
    rule: 'What an execution belongs to, the deliveries of its callback and its events MUST be readable below its result.',
    check: async () => {
      const answer = await execute('/testcase/loan-schedule/execute?synchron=true&label=build%3D7')
      const path = `/result/${answer.body.id}`
      expect((await call('GET', `${path}/context`)).body).toMatchObject({
        contextName: 'A loan over 12 months is repaid to the cent',
        labels: [{ name: 'build', value: '7' }],
        revisions: expect.arrayContaining([expect.objectContaining({ id: 'loan-schedule' })]),
        suiteResultId: null,
      })
      expect((await call('GET', `${path}/callback`)).body).toEqual([])
      const [event] = await readUntil(
        async () => (await call<StoredEvent[]>('GET', `${path}/event`)).body,
        ({ length }) => length === 1,
      )
      expect(event).toMatchObject({ eventClass: 'execution' })
      const execution = await call('GET', `/v1/events/${event?.id}/execution`)
      expect(execution.body).toMatchObject({ contextId: 'loan-schedule', type: 'TEST' })
      const explanation = await call('GET', `/v1/events/${event?.id}/explanation`)
      expect(explanation.body).toMatchObject({
        used: expect.arrayContaining([{ name: 'contextId', value: 'loan-schedule' }]),
        ignored: [],
      })
      const histogram = await call<{ items: { occurrences: number }[] }>(
        'GET',
        `/v1/events/${event?.id}/histogram?interval=minute`,
      )
      expect(
        histogram.body.items.reduce((sum, { occurrences }) => sum + occurrences, 0),
      ).toBeGreaterThan(0)
      for (const part of ['context', 'callback', 'event'])
        expectError(await call('GET', `/result/none/${part}`), 404, 'NOT_FOUND')
    },
  },
])
