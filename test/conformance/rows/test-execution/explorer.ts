import { call } from '../../calls.ts'
import { documentsOf, operationsOf } from '../../documents.ts'
import { exampleCalls } from '../../example-calls.ts'
import { checkAt, inSection, product } from '../../row.ts'

export const explorer = inSection('TX', 'What the service does', [
  {
    id: 'TX-11',
    rule: 'An explorer page MUST be served at /swagger-ui.html below the base URL, over Swagger 2.0 at /v2/api-docs and OpenAPI 3.1 at /v3/api-docs.',
    check: async () => {
      const page = await fetch(`${product().base}/swagger-ui.html`)
      expect([page.status, page.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ])
      const files = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)]
      expect(files).toHaveLength(5)
      for (const [, file = ''] of files)
        expect((await fetch(new URL(file, page.url))).status).toBe(200)
      const [openapi, swagger] = await documentsOf(product().base)
      expect([openapi?.openapi, swagger?.swagger]).toEqual(['3.1.0', '2.0'])
      expect(openapi?.servers).toEqual([{ url: '/api' }])
      expect(swagger?.basePath).toBe('/api')
    },
  },
  {
    id: 'TX-12',
    rule: 'The explorer MUST group the operations by area.',
    check: async () => {
      for (const document of await documentsOf(product().base)) {
        const areas = document.tags.map(({ name }) => name)
        for (const { operation } of operationsOf(document))
          expect(areas).toContain(operation.tags[0])
        expect(new Set(areas).size).toBeGreaterThan(5)
      }
    },
  },
  {
    id: 'TX-13',
    rule: 'The explorer MUST show the query parameters, header parameters, request body and answers of every operation.',
    check: async () => {
      const [openapi] = await documentsOf(product().base)
      const described = (path: string, method: string) => {
        const { parameters, requestBody, responses } = openapi?.paths[path]?.[method] ?? {}
        return {
          parameters: parameters?.map((each) => `${each.in} ${each.name}`),
          body: requestBody !== undefined,
          answers: Object.keys(responses ?? {}),
        }
      }
      expect(described('/testcase/{id}/execute', 'post')).toEqual({
        parameters: [
          'path id',
          'query synchron',
          'query callbackUrl',
          'query label',
          'header Idempotency-Key',
          'query environmentId',
          'query tag',
          'query skipTag',
          'header credentials',
        ],
        body: false,
        answers: ['200', '400', '401', '403', '404', '409', '422', '429', '503', '504'],
      })
      expect(described('/suite', 'post')).toMatchObject({ parameters: [], body: true })
      expect(described('/suite', 'get').parameters).toEqual([
        'query pageNumber',
        'query pageSize',
        'query sort',
        'query filter',
      ])
      for (const document of await documentsOf(product().base))
        for (const { operation } of operationsOf(document))
          expect(Object.keys(operation.responses).length).toBeGreaterThan(1)
    },
  },
  {
    id: 'TX-14',
    rule: 'The explorer MUST mark which parameters are required.',
    check: async () => {
      for (const { paths } of await documentsOf(product().base)) {
        const required = (path: string) =>
          paths[path]?.post?.parameters.filter((each) => each.required).map(({ name }) => name)
        expect(required('/suite/{id}/execute')).toEqual(['id', 'credentials'])
        expect(required('/noauth/execute/{id}')).toEqual(['id'])
        expect(required('/noauth/testcases/execute')).toEqual(['componentName', 'environmentId'])
      }
    },
  },
  {
    id: 'TX-15',
    rule: 'Calling an operation from within the explorer MUST work.',
    check: async () => {
      const [openapi] = await documentsOf(product().base)
      for await (const example of exampleCalls(openapi)) {
        const { name, method, path, headers, body, successes, url } = example
        const check = async () => {
          const answer = await call(method, path, { headers, ...(body ? { body } : {}) })
          const isPromised = successes.includes(String(answer.status))
          expect({ name, isPromised, answer }).toEqual({ name, isPromised: true, answer })
        }
        await (url ? checkAt(url, check) : check())
      }
    },
  },
  {
    id: 'TX-325',
    rule: 'GET /graphql MUST answer clients that accept HTML without being browsers, such as that of Java, with JSON.',
    check: async () => {
      for (const accept of [
        'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
        'text/html, image/gif, image/jpeg, */*; q=0.2',
        'text/html',
      ]) {
        const response = await fetch(`${product().graphql}?query=%7B__typename%7D`, {
          headers: { accept },
        })
        expect({ accept, body: await response.json() }).toEqual({
          accept,
          body: { data: { __typename: 'Query' } },
        })
      }
    },
  },
  {
    id: 'TX-326',
    rule: 'Responses MUST be compressed where Accept-Encoding asks for it, from 1 KiB on, and never otherwise; Vary names the header.',
    check: async () => {
      for (const path of ['/testcase?pageSize=1000', '/v3/api-docs'])
        for (const [asked, coding] of [
          ['gzip', 'gzip'],
          ['br;q=0.9, gzip;q=0.5', 'br'],
          ['gzip;q=0', null],
          ['identity', null],
        ] as const) {
          const { headers } = await fetch(product().base + path, {
            headers: { 'accept-encoding': asked },
          })
          expect([path, asked, headers.get('content-encoding')]).toEqual([path, asked, coding])
          expect(headers.get('vary')).toContain('Accept-Encoding')
        }
    },
  },
])
