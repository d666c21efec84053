import { named, nameIn, serversOf } from '../../../subgraphs/platform/database/database-servers.ts'

test.each([
  ['postgres://host/db', ['postgres://host/db']],
  ['postgres://user:p%40ss@host:5432/db', ['postgres://user:p%40ss@host:5432/db']],
  [
    'postgresql://user:password@one:5432,two:5433/db?sslmode=require',
    [
      'postgresql://user:password@one:5432/db?sslmode=require',
      'postgresql://user:password@two:5433/db?sslmode=require',
    ],
  ],
  ['postgres://one,two', ['postgres://one', 'postgres://two']],
  [
    'postgres://user@[::1]:5432,two/db',
    ['postgres://user@[::1]:5432/db', 'postgres://user@two/db'],
  ],
  ['no address', ['no address']],
])('%s names its servers', (url, servers) => {
  expect(serversOf(url)).toEqual(servers)
})

test.each([
  ['postgres://host/db', 'assay events'],
  ['postgres://one,two/db?sslmode=require', 'assay events'],
  ['postgres://host/db?application_name=blue%20one&sslmode=require', 'blue one events'],
  ['postgres://host/db?sslmode=require&application_name=blue', 'blue events'],
])('connections to %s are named, whatever else the address says', (url, name) => {
  const address = named(url, 'events')
  expect(nameIn(address)).toBe(name)
  expect(address.match(/application_name/g)).toHaveLength(1)
  expect(address.includes('sslmode=require')).toBe(url.includes('sslmode=require'))
  expect(nameIn(named(address, 'jobs'))).toBe(`${name} jobs`)
})
