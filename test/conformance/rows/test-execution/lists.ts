import { ADMIN, ADMIN_PASSWORD, basic } from '../../../support/e2e/users.ts'
import { count, create, expectRefusal, idsOf, list, RESOURCES, unique } from '../../artifacts.ts'
import { call, expectError } from '../../calls.ts'
import { withUsers } from '../../configured.ts'
import { execute } from '../../executions.ts'
import { inSection } from '../../row.ts'

/** Three environments of one word that no other row uses, in the order in which they were created. */
async function three(): Promise<{ tag: string; ids: [string, string, string] }> {
  const tag = unique('list')
  const made = (suffix: string, attributes: Record<string, unknown>) =>
    create('environment', { name: `${tag} ${suffix}`, ...attributes })
  const first = await made('B', { description: 'same', variables: { port: 1, zone: 'n*rth' } })
  const second = await made('c', { description: 'same', allowedHosts: ['a', 'b'] })
  const third = await made('A', { variables: { port: 2, zone: 'north' } })
  return { tag, ids: [first.id, second.id, third.id] }
}

export const lists = inSection('TX', 'Endpoints: CRUD and list', [
  {
    id: 'TX-82',
    rule: 'GET /<resourceName> MUST answer a JSON array of artifacts, with X-Total-Count and Link headers.',
    check: async () => {
      const { tag, ids } = await three()
      const filter = JSON.stringify({ name: `${tag}*` })
      const { status, body, headers } = await list('environment', { filter, pageSize: '1' })
      expect(status).toBe(200)
      expect(body).toEqual([(await call('GET', `/environment/${ids[0]}`)).body])
      expect(headers.get('x-total-count')).toBe('3')
      const links = (headers.get('link') ?? '').split(', ').map((link) => {
        const [, path = '', relation] = /^<([^>]+)>; rel="(\w+)"$/.exec(link) ?? []
        const { searchParams } = new URL(path, 'http://host')
        expect([searchParams.get('filter'), searchParams.get('pageSize')]).toEqual([filter, '1'])
        return [relation, searchParams.get('pageNumber')]
      })
      expect(links).toEqual([
        ['first', '0'],
        ['next', '1'],
        ['last', '2'],
      ])
    },
  },
  {
    id: 'TX-300',
    rule: 'X-Total-Count MUST count what the list held when its page was read, also while artifacts are created and deleted.',
    check: async () => {
      const tag = unique('counted')
      let isOver = false
      const change = async (): Promise<void> => {
        while (!isOver) {
          const { id } = await create('environment', { name: unique(tag) })
          await call('DELETE', `/environment/${id}`)
        }
      }
      const changes = [change(), change(), change()]
      const filter = JSON.stringify({ name: `${tag}*` })
      try {
        for (let reads = 0; reads < 60; reads++) {
          const { body, headers } = await list('environment', { filter, pageSize: '1000' })
          expect(headers.get('x-total-count')).toBe(String(body.length))
          const past = await list('environment', { filter, pageSize: '1', pageNumber: '1000' })
          expect(past.body).toEqual([])
          expect(Number(past.headers.get('x-total-count'))).toBeLessThanOrEqual(3)
        }
      } finally {
        isOver = true
        await Promise.all(changes)
      }
    },
  },
  {
    id: 'TX-83',
    rule: 'GET /<resourceName>/count MUST answer the number of artifacts that match the filter, as a bare JSON number.',
    check: async () => {
      const { tag } = await three()
      const answer = await count('environment', { filter: JSON.stringify({ name: `${tag}*` }) })
      expect(answer).toMatchObject({ status: 200, body: 3 })
      for (const resource of ['component', 'testcase', 'suite', 'environment'])
        expect((await count(resource)).body).toBeGreaterThan(0)
    },
  },
  {
    id: 'TX-84',
    rule: 'Filtering, sorting and paging MUST happen on the server.',
    check: async () => {
      const { tag, ids } = await three()
      const page = (pageNumber: string) =>
        idsOf('environment', { name: `${tag}*` }, { sort: 'name', pageNumber, pageSize: '2' })
      expect([await page('0'), await page('1')]).toEqual([[ids[2], ids[0]], [ids[1]]])
    },
  },
  {
    id: 'TX-85',
    rule: 'pageNumber MUST be an integer counted from 0 (else 400); past the last page the list is empty.',
    check: async () => {
      for (const pageNumber of ['-1', '1.5', 'one', '', '1e3'])
        await expectRefusal('component', { pageNumber }, /pageNumber/)
      for (const pageNumber of ['4000', '99999999999999999999'])
        expect(await list('component', { pageNumber })).toMatchObject({ status: 200, body: [] })
    },
  },
  {
    id: 'TX-86',
    rule: 'pageSize MUST be an integer from 1 to 1000 (else 400) and bound the length of the list.',
    check: async () => {
      for (const pageSize of ['0', '-1', '1001', '2.5', 'all', ''])
        await expectRefusal('component', { pageSize }, /pageSize/)
      expect((await list('component', { pageSize: '1' })).body).toHaveLength(1)
      expect((await list('component', { pageSize: '1000' })).status).toBe(200)
    },
  },
  {
    id: 'TX-87',
    rule: 'sort MUST take an attribute and optionally asc or desc behind a comma, ascending by default, ties by id.',
    check: async () => {
      const { tag, ids } = await three()
      const by = (sort: string) => idsOf('environment', { name: `${tag}*` }, { sort })
      expect(await by('name')).toEqual([ids[2], ids[0], ids[1]])
      expect(await by('name,asc')).toEqual([ids[2], ids[0], ids[1]])
      expect(await by('name,desc')).toEqual([ids[1], ids[0], ids[2]])
      expect(await by('baseUrl')).toEqual(ids)
      expect(await by('revision,DESC')).toEqual(ids)
    },
  },
  {
    id: 'TX-88',
    rule: 'sort MUST allow a blank behind the comma, and several sorts by being repeated.',
    check: async () => {
      const { tag, ids } = await three()
      const by = (...sort: string[]) => idsOf('environment', { name: `${tag}*` }, { sort })
      expect(await by('name, desc')).toEqual([ids[1], ids[0], ids[2]])
      expect(await by('description, asc', 'name, desc')).toEqual([ids[2], ids[1], ids[0]])
      expect(await by('description, desc', 'name')).toEqual(ids)
    },
  },
  {
    id: 'TX-89',
    rule: 'A sort by an unknown attribute or in an unknown direction MUST be refused with 400 naming it.',
    check: async () => {
      await expectRefusal('component', { sort: 'colour' }, /colour/)
      await expectRefusal('component', { sort: 'name,upwards' }, /upwards/)
      await expectRefusal('component', { sort: ['name', 'testCases,desc'] }, /testCases/)
      await expectRefusal('component', { sort: '' }, /sort/)
      await expectRefusal('component', { sort: 'name,asc,desc' }, /sort/)
    },
  },
  {
    id: 'TX-90',
    rule: 'filter MUST be a JSON object from attribute names to values, compared exactly and case-sensitively.',
    check: async () => {
      const { tag, ids } = await three()
      expect(await idsOf('environment', { name: `${tag} A` })).toEqual([ids[2]])
      expect(await idsOf('environment', { name: `${tag} a` })).toEqual([])
      expect(await idsOf('environment', { name: `${tag} ` })).toEqual([])
      expect(await idsOf('environment', { name: `${tag} A`, revision: 2 })).toEqual([])
      expect(await idsOf('testcase', { useCodeCoverage: true, id: 'tax-table' })).toHaveLength(1)
    },
  },
  {
    id: 'TX-91',
    rule: 'In a filter * MUST stand for any text, \\* for a star, an array for any of its values, null for an absent value.',
    check: async () => {
      const { tag, ids } = await three()
      const found = (filter: object) => idsOf('environment', { name: `${tag}*`, ...filter })
      expect(await found({ variables: { zone: 'n*rth' } })).toEqual([ids[0], ids[2]])
      expect(await found({ variables: { zone: 'n\\*rth' } })).toEqual([ids[0]])
      expect(await found({ name: [`${tag} A`, `${tag} c`, 'x'] })).toEqual([ids[1], ids[2]])
      expect(await found({ description: null })).toEqual([ids[2]])
      expect(await found({ description: [null, 's*'] })).toEqual(ids)
      expect(await found({ allowedHosts: 'b' })).toEqual([ids[1]])
    },
  },
  {
    id: 'TX-273',
    rule: 'A filter MUST find a time as answers write it, also where the + of its offset is not percent-encoded.',
    check: async () => {
      const { id, created } = await create('environment')
      for (const plus of ['%2B', '+']) {
        const time = created.replace('+', plus)
        const made = await call('GET', `/environment?filter={"id":"${id}","created":"${time}"}`)
        expect(made).toMatchObject({ status: 200, body: [{ id }] })
        const started = await call('GET', `/result?filter={"started":{"from":"${time}"}}`)
        expect(started.status).toBe(200)
      }
    },
  },
  {
    id: 'TX-92',
    rule: 'A nested object in a filter MUST reach the fields within an attribute.',
    check: async () => {
      const { tag, ids } = await three()
      const found = (variables: object) => idsOf('environment', { name: `${tag}*`, variables })
      expect(await found({ port: 2 })).toEqual([ids[2]])
      expect(await found({ port: [1, 2], zone: '*th' })).toEqual([ids[0], ids[2]])
      expect(await found({ port: null })).toEqual([ids[1]])
      const step = { scenario: { steps: { id: 'top-income' } } }
      expect(await idsOf('testcase', step)).toEqual(['tax-table'])
    },
  },
  {
    id: 'TX-93',
    rule: 'A filter of malformed JSON, with an unknown attribute or a wrong type MUST be refused with 400 naming it.',
    check: async () => {
      for (const filter of ['', '{', '{"name":', '[]', '"name"', '7', 'null'])
        await expectRefusal('component', { filter }, /filter/)
      await expectRefusal('component', { filter: '{"colour":"red"}' }, /colour/)
      await expectRefusal('component', { filter: '{"name":{"first":"x"}}' }, /name/)
      await expectRefusal('component', { filter: '{"revision":"1"}' }, /revision/)
      await expectRefusal('testcase', { filter: '{"useCodeCoverage":"true"}' }, /useCodeCoverage/)
      await expectRefusal('environment', { filter: '{"secrets":{"value":"*"}}' }, /secrets\.value/)
    },
  },
  {
    id: 'TX-94',
    rule: 'Count MUST apply the filter like the list and ignore paging and sorting.',
    check: async () => {
      const { tag } = await three()
      const counted = async (filter: object) =>
        (
          await count('environment', {
            filter: JSON.stringify(filter),
            sort: 'colour,sideways',
            pageNumber: '-1',
            pageSize: 'all',
          })
        ).body
      expect(await counted({ name: `${tag}*` })).toBe(3)
      expect(await counted({ name: `${tag}*`, description: null })).toBe(1)
      const refused = await count('environment', { filter: '{"colour":1}' })
      expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_USER_INPUT' } })
    },
  },
  {
    id: 'TX-170',
    rule: 'An unknown query parameter of a list or a count MUST be refused with 400 naming it and the known ones.',
    check: async () => {
      for (const { name } of RESOURCES)
        for (const answer of [
          await list(name, { pagesize: '1' }),
          await count(name, { pagesize: '1' }),
        ]) {
          const { message } = expectError(answer, 400, 'BAD_USER_INPUT')
          for (const word of ['pagesize', 'pageNumber', 'pageSize', 'sort', 'filter'])
            expect(message).toContain(word)
        }
    },
  },
  {
    id: 'TX-171',
    rule: 'A query parameter of one value that is given different values MUST be refused with 400 naming it; the same value twice is one.',
    check: async () => {
      for (const [path, parameter] of [
        ['/component?pageSize=1&pageSize=2', 'pageSize'],
        ['/component/count?filter=%7B%7D&filter=%7B%22name%22:%22x%22%7D', 'filter'],
      ] as const) {
        const { message } = expectError(await call('GET', path), 400, 'BAD_USER_INPUT')
        expect(message).toContain(parameter)
      }
      const twice = await execute('/testcase/loan-schedule/execute?synchron=true&synchron=false')
      expect(expectError(twice, 400, 'BAD_USER_INPUT').message).toContain('synchron')
      expect((await list('component', { pageSize: ['1', '1'] })).body).toHaveLength(1)
    },
  },
  {
    id: 'TX-95',
    rule: 'All six operations MUST need a valid token wherever users have to sign in.',
    check: async () => {
      const users = await withUsers()
      const input = { id: 'tx-95', name: 'TX-95' }
      const calls = [
        ['POST', '/environment', input],
        ['GET', '/environment/tx-95', undefined],
        ['PUT', '/environment/tx-95', input],
        ['GET', '/environment', undefined],
        ['GET', '/environment/count', undefined],
        ['DELETE', '/environment/tx-95', undefined],
      ] as const
      const { token } = (await users.rest('POST', '/authenticate', basic(ADMIN, ADMIN_PASSWORD)))
        .body
      for (const [method, path, body] of calls) {
        expect((await users.rest(method, path, {}, body)).status).toBe(401)
        expect((await users.rest(method, path, { token: 'invalid' }, body)).status).toBe(401)
        expect((await users.rest(method, path, { token }, body)).status).toBeLessThan(300)
      }
    },
  },
])
