import { create, RESOURCES, send, unique } from '../../artifacts.ts'
import { call, expectError } from '../../calls.ts'
import { execute } from '../../executions.ts'
import { inSection, product } from '../../row.ts'

export const crud = inSection('TX', 'Endpoints: CRUD and list', [
  {
    id: 'TX-72',
    rule: 'POST /<resourceName> MUST create the artifact and answer 201 with Location and the artifact.',
    check: async () => {
      for (const { name, attributes } of RESOURCES) {
        const given = { ...attributes, name: unique(name) }
        const { status, headers, body } = await send('POST', `/${name}`, given)
        expect({ status, body }).toMatchObject({ status: 201, body: given })
        const location = new URL(headers.get('location') ?? '', product().base)
        expect(location.href).toBe(`${product().base}/${name}/${body.id}`)
        expect(await (await fetch(location)).json()).toEqual(body)
      }
    },
  },
  {
    id: 'TX-73',
    rule: 'GET /<resourceName>/{id} MUST answer 200 with the artifact and its revision as ETag, or 404.',
    check: async () => {
      for (const { name } of RESOURCES) {
        const created = await create(name)
        const answer = await call('GET', `/${name}/${created.id}`)
        expect(answer).toMatchObject({ status: 200, body: created })
        expect(answer.headers.get('etag')).toBe('"1"')
        expectError(await call('GET', `/${name}/unknown`), 404, 'NOT_FOUND')
      }
    },
  },
  {
    id: 'TX-74',
    rule: 'PUT /<resourceName>/{id} MUST replace the whole artifact and answer 200 with it, or 404.',
    check: async () => {
      for (const { name, attributes } of RESOURCES) {
        const { id, created } = await create(name, { description: 'to be forgotten' })
        const given = { ...attributes, name: unique(name) }
        const answer = await send('PUT', `/${name}/${id}`, given)
        const expected = { ...given, id, description: '', revision: 2, created }
        expect(answer).toMatchObject({ status: 200, body: expected })
        expect(answer.headers.get('etag')).toBe('"2"')
        expect((await call('GET', `/${name}/${id}`)).body).toEqual(answer.body)
        expectError(await send('PUT', `/${name}/unknown`, given), 404, 'NOT_FOUND')
        const others = Object.keys(answer.body).filter((attribute) => !(attribute in given))
        const nothing = Object.fromEntries(others.map((attribute) => [attribute, null]))
        const again = await send('PUT', `/${name}/${id}`, { ...given, ...nothing })
        expect(again).toMatchObject({ status: 200, body: answer.body })
      }
    },
  },
  {
    id: 'TX-75',
    rule: 'PUT MUST refuse a body with another id or an unknown attribute with 400, and ignore revision, created and updated.',
    check: async () => {
      for (const { name } of RESOURCES) {
        const artifact = await create(name)
        const path = `/${name}/${artifact.id}`
        for (const fault of [{ id: 'another' }, { id: 7 }, { colour: 'red' }, { colour: null }])
          expect(
            expectError(await send('PUT', path, { ...artifact, ...fault }), 400, 'BAD_USER_INPUT')
              .message,
          ).toMatch(new RegExp(`^${Object.keys(fault)[0]}: `))
        const ignored = { revision: 77, created: 'yesterday', updated: null, description: 'new' }
        const { status, body } = await send('PUT', path, { ...artifact, ...ignored })
        expect(status).toBe(200)
        const { description } = ignored
        expect(body).toEqual({ ...artifact, revision: 2, updated: body.updated, description })
      }
    },
  },
  {
    id: 'TX-76',
    rule: 'An If-Match that is not the present revision MUST be answered with 412 and change nothing.',
    check: async () => {
      for (const { name } of RESOURCES) {
        const artifact = await create(name)
        const path = `/${name}/${artifact.id}`
        let changes = 0
        const put = (etag: string) =>
          send('PUT', path, { ...artifact, description: `${++changes}` }, { 'if-match': etag })
        const remove = (etag: string) => call('DELETE', path, { headers: { 'if-match': etag } })
        for (const etag of ['"2"', 'W/"2"', '"2-gzip"', '"3", "other"', '"01"'])
          for (const answer of [await put(etag), await remove(etag)])
            expectError(answer, 412, 'PRECONDITION_FAILED')
        expect((await call('GET', path)).body).toEqual(artifact)
        expectError(await put('"1'), 400, 'BAD_USER_INPUT')
        expect((await put('"1"')).status).toBe(200)
        expect((await put('"9", "2"')).status).toBe(200)
        expect((await put('*')).status).toBe(200)
        expect((await remove('"4"')).status).toBe(204)
      }
    },
  },
  {
    id: 'TX-275',
    rule: 'If-Match and If-None-Match MUST compare the revision in a tag, also where a proxy weakened or renamed it ("3", W/"3", "3-gzip" and "3;br" name revision 3).',
    check: async () => {
      for (const { name } of RESOURCES) {
        const artifact = await create(name)
        const path = `/${name}/${artifact.id}`
        let revision = 1
        for (const tagOf of [
          (each: number) => `W/"${each}"`,
          (each: number) => `"${each}-gzip"`,
          (each: number) => `"${each};br"`,
        ]) {
          const known = { headers: { 'if-none-match': tagOf(revision) } }
          expect((await call('GET', path, known)).status).toBe(304)
          const given = { ...artifact, description: `${revision}` }
          const answer = await send('PUT', path, given, { 'if-match': tagOf(revision) })
          expect(answer).toMatchObject({ status: 200, body: { revision: ++revision } })
        }
      }
    },
  },
  {
    id: 'TX-205',
    rule: 'A PUT that changes nothing MUST keep revision, ETag and time of change.',
    check: async () => {
      for (const { name } of RESOURCES) {
        const artifact = await create(name)
        const again = await send('PUT', `/${name}/${artifact.id}`, artifact)
        expect(again).toMatchObject({ status: 200, body: artifact })
        expect(again.headers.get('etag')).toBe('"1"')
      }
      const secrets = [{ name: 'KEY', value: 'a secret value' }]
      const { id, name, ...environment } = await create('environment', { secrets })
      const put = (value: string) =>
        send('PUT', `/environment/${id}`, {
          ...environment,
          name,
          secrets: [{ name: 'KEY', value }],
        })
      expect((await put('a secret value')).body.revision).toBe(1)
      expect((await put('another secret')).body.revision).toBe(2)
    },
  },
  {
    id: 'TX-206',
    rule: 'A PUT with If-None-Match: * MUST create the artifact and answer 201 with Location, or 412 where it exists.',
    check: async () => {
      for (const { name, attributes } of RESOURCES) {
        const path = `/${name}/${unique(name)}`
        const given = { ...attributes, name: unique(name) }
        const put = (headers: Record<string, string>) => send('PUT', path, given, headers)
        const both: Record<string, string> = { 'if-none-match': '*', 'if-match': '*' }
        expectError(await put({}), 404, 'NOT_FOUND')
        const created = await put({ 'if-none-match': '*' })
        expect(created).toMatchObject({ status: 201, body: { ...given, revision: 1 } })
        expect(created.headers.get('etag')).toBe('"1"')
        expect(created.headers.get('location')).toBe(`/api${path}`)
        expectError(await put({ 'if-none-match': '*' }), 412, 'PRECONDITION_FAILED')
        expect((await call('GET', path)).body).toEqual(created.body)
        for (const headers of [{ 'if-none-match': '"1"' }, both])
          expectError(await put(headers), 400, 'BAD_USER_INPUT')
      }
    },
  },
  {
    id: 'TX-168',
    rule: 'GET /<resourceName>/{id} with an If-None-Match that names the present revision MUST be answered with 304 and no body.',
    check: async () => {
      for (const { name } of RESOURCES) {
        const path = `/${name}/${(await create(name)).id}`
        const read = (etag: string) => call('GET', path, { headers: { 'if-none-match': etag } })
        for (const etag of ['"1"', 'W/"1"', '"7", "1"', '*']) {
          const { status, headers, body } = await read(etag)
          expect([status, headers.get('etag'), body]).toEqual([304, '"1"', ''])
        }
        for (const etag of ['"2"', '"01"', '"1']) expect((await read(etag)).status).toBe(200)
        const headers = { 'if-none-match': '*' }
        expectError(await call('GET', `/${name}/unknown`, { headers }), 404, 'NOT_FOUND')
      }
    },
  },
  {
    id: 'TX-77',
    rule: 'DELETE /<resourceName>/{id} MUST delete the artifact and answer 204, or 404.',
    check: async () => {
      for (const { name } of RESOURCES) {
        const path = `/${name}/${(await create(name)).id}`
        expect(await call('DELETE', path)).toMatchObject({ status: 204, body: '' })
        expectError(await call('GET', path), 404, 'NOT_FOUND')
        expectError(await call('DELETE', path), 404, 'NOT_FOUND')
      }
    },
  },
  {
    id: 'TX-78',
    rule: 'A scenario in a suite, its setup and its teardown MUST NOT be deleted: 409 naming the suites; nor one that another scenario needs.',
    check: async () => {
      const { id } = await create('testcase')
      for (const [kind, rules] of [
        ['suite', { testCases: ['loan-schedule'], setup: id }],
        ['suite', { testCases: ['loan-schedule'], teardown: id }],
        ['testcase', { needs: [id] }],
      ] as const) {
        const user = await create(kind, rules)
        const used = expectError(await call('DELETE', `/testcase/${id}`), 409, 'CONFLICT')
        expect(used.message).toContain(user.id)
        expect((await call('DELETE', `/${kind}/${user.id}`)).status).toBe(204)
      }
      const suites = [await create('suite', { testCases: [id] })]
      suites.push(await create('suite', { testCases: ['loan-schedule', id] }))
      const { message } = expectError(await call('DELETE', `/testcase/${id}`), 409, 'CONFLICT')
      for (const suite of suites) expect(message).toContain(suite.id)
      for (const suite of suites) await call('DELETE', `/suite/${suite.id}`)
      expect((await call('DELETE', `/testcase/${id}`)).status).toBe(204)
    },
  },
  {
    id: 'TX-79',
    rule: 'A suite that nothing is scheduled for MUST be deletable, also after it was executed; its results stay.',
    check: async () => {
      const { id } = await create('suite', { testCases: ['loan-schedule'] })
      const executed = await execute(`/suite/${id}/execute?synchron=true`)
      expect(executed).toMatchObject({ status: 200, body: { state: 'COMPLETED' } })
      expect((await call('DELETE', `/suite/${id}`)).status).toBe(204)
      const path = `/result/${executed.body.id}`
      expect(await call('GET', path)).toMatchObject({ status: 200, body: executed.body })
    },
  },
  {
    id: 'TX-80',
    rule: 'An environment that a scenario, a component or a suite uses MUST NOT be deleted: 409 naming them.',
    check: async () => {
      const { id } = await create('environment')
      for (const [resource, use] of [
        ['testcase', { environment: id }],
        ['component', { environment: id }],
        ['suite', { environments: [id] }],
      ] as const) {
        const user = await create(resource, use)
        const refused = await call('DELETE', `/environment/${id}`)
        expect(expectError(refused, 409, 'CONFLICT').message).toContain(user.id)
        await call('DELETE', `/${resource}/${user.id}`)
      }
      expect((await call('DELETE', `/environment/${id}`)).status).toBe(204)
    },
  },
  {
    id: 'TX-81',
    rule: 'A component that a scenario names MUST NOT be deleted: 409 naming the scenarios.',
    check: async () => {
      const component = await create('component')
      const ids = ['', '.example.com:8080', '.prod.svc'].map((end) => unique('shop') + end)
      for (const id of ids) await create('testcase', { id, componentUnderTest: component.id })
      const refused = await call('DELETE', `/component/${component.id}`)
      const { message } = expectError(refused, 409, 'CONFLICT')
      for (const id of ids) expect(message).toContain(id)
      expect((await call('GET', `/component/${component.id}`)).status).toBe(200)
    },
  },
])
