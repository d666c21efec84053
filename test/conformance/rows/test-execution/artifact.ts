import { randomInt } from 'node:crypto'
import { create, idsOf, RESOURCES, send, unique } from '../../artifacts.ts'
import { call, expectError } from '../../calls.ts'
import { TIMESTAMP } from '../../executions.ts'
import { inSection } from '../../row.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export const artifact = inSection('TX', 'Resources: artifact', [
  {
    id: 'TX-16',
    rule: 'Reading an artifact MUST give one JSON object.',
    check: async () => {
      for (const { name, attributes } of RESOURCES) {
        const { id } = await create(name)
        expect(await call('GET', `/${name}/${id}`)).toMatchObject({ status: 200, body: attributes })
      }
    },
  },
  {
    id: 'TX-17',
    rule: 'Creating and updating MUST take the artifact as one JSON object and refuse a body of another shape with 400.',
    check: async () => {
      for (const { name, attributes } of RESOURCES) {
        const { id } = await create(name)
        for (const body of [[], [{ name: 'x', ...attributes }], 'x', 1, null, true, {}])
          for (const answer of [
            await send('POST', `/${name}`, body),
            await send('PUT', `/${name}/${id}`, body),
          ])
            expectError(answer, 400, 'BAD_USER_INPUT')
      }
    },
  },
  {
    id: 'TX-18',
    rule: 'Every artifact MUST carry a name and a description, both strings, and lists MUST be filterable by them.',
    check: async () => {
      for (const { name } of RESOURCES) {
        const given = { name: unique('called'), description: unique('described') }
        const { id, ...created } = await create(name, given)
        expect(created).toMatchObject(given)
        expect(await idsOf(name, { name: given.name })).toEqual([id])
        expect(await idsOf(name, { description: given.description })).toEqual([id])
      }
    },
  },
  {
    id: 'TX-19',
    rule: 'Every artifact MUST also carry id, revision, created and updated.',
    check: async () => {
      for (const { name } of RESOURCES)
        expect(await create(name)).toMatchObject({
          id: expect.stringMatching(/./),
          revision: 1,
          created: expect.stringMatching(TIMESTAMP),
          updated: expect.stringMatching(TIMESTAMP),
        })
    },
  },
  {
    id: 'TX-20',
    rule: 'The resource names MUST be component, testcase, suite, environment and schedule: singular and in lower case.',
    check: async () => {
      for (const name of ['component', 'testcase', 'suite', 'environment', 'schedule'])
        expect((await call('GET', `/${name}`)).status).toBe(200)
      for (const name of [
        'components',
        'Component',
        'testCase',
        'suites',
        'environments',
        'schedules',
      ])
        expectError(await call('GET', `/${name}`), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'TX-21',
    rule: 'Ids MUST be opaque strings that a create may bring along; without one the product MUST assign a UUIDv7.',
    check: async () => {
      for (const { name } of RESOURCES) {
        const id = unique('A-Z.a_z~0:9')
        expect(await create(name, { id })).toMatchObject({ id })
        expect((await create(name)).id).toMatch(UUID_V7)
        const integer = randomInt(2 ** 40)
        const numbered = await create(name, { id: integer })
        expect(numbered).toMatchObject({ id: String(integer) })
        const again = await send('PUT', `/${name}/${integer}`, { ...numbered, id: integer })
        expect(again).toMatchObject({ status: 200, body: numbered })
      }
    },
  },
  {
    id: 'TX-22',
    rule: 'A brought id MUST have 1 to 255 characters out of A-Z a-z 0-9 . _ ~ : - and MUST NOT be count, result, . or .. (else 400).',
    check: async () => {
      const longest = unique('x').padEnd(255, 'x')
      for (const { name, attributes } of RESOURCES) {
        const post = (id: string) =>
          send('POST', `/${name}`, { ...attributes, id, name: unique(name) })
        for (const id of [
          '',
          'a b',
          'a/b',
          'a%b',
          'é',
          'count',
          'result',
          '.',
          '..',
          `${longest}x`,
        ])
          expect(expectError(await post(id), 400, 'BAD_USER_INPUT').message).toMatch(/^id: /)
        expect((await post(`${name}${longest}`.slice(0, 255))).status).toBe(201)
      }
    },
  },
  {
    id: 'TX-23',
    rule: 'An id that is taken MUST be refused with 409, where test cases and suites share one id space.',
    check: async () => {
      for (const { name, attributes } of RESOURCES) {
        const { id } = await create(name)
        const again = { ...attributes, id, name: unique(name) }
        expectError(await send('POST', `/${name}`, again), 409, 'CONFLICT')
      }
      const taken = { id: 'loan-schedule', name: unique('suite') }
      expectError(await send('POST', '/suite', taken), 409, 'CONFLICT')
    },
  },
  {
    id: 'TX-24',
    rule: 'A name that another artifact of the same kind has MUST be refused with 409.',
    check: async () => {
      const shared = unique('shared')
      for (const { name, attributes } of RESOURCES) {
        await create(name, { name: shared })
        const again = { ...attributes, name: shared }
        expectError(await send('POST', `/${name}`, again), 409, 'CONFLICT')
        const { id } = await create(name)
        expectError(await send('PUT', `/${name}/${id}`, again), 409, 'CONFLICT')
      }
    },
  },
  {
    id: 'TX-169',
    rule: 'The description of an artifact without one MUST be the empty string, which filters find like an absent one and sorts put before any other.',
    check: async () => {
      for (const { name } of RESOURCES)
        for (const given of [{}, { description: null }, { description: '' }]) {
          const artifact = await create(name, given)
          expect(artifact.description).toBe('')
          expect((await call('GET', `/${name}/${artifact.id}`)).body).toEqual(artifact)
          for (const description of [null, '', '*'])
            expect(await idsOf(name, { name: artifact.name, description })).toEqual([artifact.id])
          const described = await create(name, { description: ' ' })
          const both = { name: [artifact.name, described.name] }
          const sorted = await idsOf(name, both, { sort: 'description' })
          expect(sorted).toEqual([artifact.id, described.id])
        }
    },
  },
  {
    id: 'TX-207',
    rule: 'An integer that would lose digits, and a number beyond the range, MUST be refused with 400 at its place; in quotes it is kept, and so is every other number.',
    check: async () => {
      const wait = (ms: string, rows: string) =>
        `{"name":"${unique('numbers')}","componentUnderTest":"loan-schedule","scenario":{"dataset":{"rows":[${rows}]},"steps":[{"id":"pause","wait":{"ms":${ms}}}]}}`
      const { id } = await create('testcase')
      const ways: [method: string, path: string, type: string][] = [
        ['POST', '/testcase', 'application/json'],
        ['PUT', `/testcase/${id}`, 'application/json'],
        ['POST', '/testcase', 'application/yaml'],
        ['PUT', `/testcase/${id}`, 'application/yaml'],
      ]
      for (const [method, path, type] of ways) {
        const put = (body: string) =>
          call(method, path, { headers: { 'content-type': type }, body })
        for (const [number, fault] of [
          ['9007199254740993', /9007199254740993 would lose digits.*in quotes/],
          ['-1234567890123456789', /-1234567890123456789 would lose digits/],
          ['1e400', /outside the range of numbers/],
        ] as const) {
          const { message } = expectError(
            await put(wait('1', `{"n":1},{"n":${number}}`)),
            400,
            'BAD_USER_INPUT',
          )
          expect(message).toMatch(fault)
          expect(message).toMatch(/^scenario\.dataset\.rows\[1\]\.n: |line 1, column \d+: /)
        }
        const kept = `{"n":"9007199254740993"},{"n":9007199254740991},{"n":1e21},{"n":0.1}`
        const { status, body } = await put(wait('1', kept))
        expect([200, 201]).toContain(status)
        expect(body).toMatchObject({ scenario: { dataset: { rows: JSON.parse(`[${kept}]`) } } })
      }
      const variables = `{"name":"${unique('numbers')}","variables":{"account":9007199254740993}}`
      const headers = { 'content-type': 'application/json' }
      const refused = await call('POST', '/environment', { headers, body: variables })
      expect(expectError(refused, 400, 'BAD_USER_INPUT').message).toMatch(/^variables\.account: /)
      const set = `{"artifacts":[${wait('9007199254740993', '')}]}`
      const applied = await call('POST', '/apply', { headers, body: set })
      expect(expectError(applied, 400, 'BAD_USER_INPUT').message).toMatch(
        /^artifacts\[0\]\.scenario\.steps\[0\]\.wait\.ms: /,
      )
    },
  },
])
