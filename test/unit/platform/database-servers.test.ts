import { serversOf } from '../../../subgraphs/platform/database/database-servers.ts'

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
