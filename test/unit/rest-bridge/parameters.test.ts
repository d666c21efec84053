import { inQuery, inWords } from '../../../rest-bridge/documents/description.ts'
import { checkQuery } from '../../../rest-bridge/parameters.ts'
import { routesOf } from '../../../rest-bridge/route.ts'

const ROUTE = routesOf('Execution')({
  ...{ method: 'get', path: '/a', summary: '', operation: '', answers: {} },
  respond: () => ({ status: 200, body: null }),
  parameters: [
    inQuery('synchron', '', { type: 'boolean' }),
    inQuery('pageSize', '', { type: 'integer' }),
    inWords('state', '', ['all', 'waiting']),
    inQuery('id', ''),
  ],
})

test.each([
  ['synchron', ['true', 'TRUE'], true],
  ['synchron', ['true', 'false'], false],
  ['pageSize', ['2', '02', ' 2'], true],
  ['pageSize', ['0', '00'], true],
  ['pageSize', ['2', '20'], false],
  ['state', ['waiting', 'Waiting'], true],
  ['state', ['waiting', 'all'], false],
  ['id', ['a', 'a'], true],
  ['id', ['a', 'A'], false],
  ['id', ['1', '01'], false],
  ['id', ['', 'a'], true],
  ['id', ['a', '', 'a'], true],
  ['id', ['', 'a', 'b'], false],
  ['synchron', ['', 'true'], true],
  ['pageSize', ['2', ''], true],
])('%s given as %j is one value: %s', (name, values, isOne) => {
  const address = { path: '/a', params: {}, query: {}, repeated: { [name]: values } }
  const check = expect(() => checkQuery(ROUTE, address))
  if (isOne) check.not.toThrow()
  else check.toThrow(`Query parameter ${name}: expected one value, not 2 that differ`)
})
