import pg from 'pg'
import { named, nameIn, serversOf } from '../../../platform/database/database-servers.ts'

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
  ['my%40db', 'my@db'],
  ['%24%26%2b%2C%2F%3A%3b%3D%40', '$&+,/:;=@'],
  ['my%2540db', 'my%40db'],
  ['a%2Fb', 'a/b'],
  ['a%20b%25c%C3%A4', 'a b%cä'],
  ['my@db', 'my@db'],
])('the driver reads the database %s as %s, as psql does', (path, database) => {
  for (const start of ['postgres://u:p%40%2F@one:5432/', 'postgresql://u@one,two/', 'postgres:///'])
    for (const end of ['', '?application_name=a%40b'])
      for (const connectionString of serversOf(`${start}${path}${end}`)) {
        expect(new pg.Client({ connectionString }).database).toBe(database)
        expect(serversOf(connectionString)).toEqual([connectionString])
        expect(nameIn(connectionString)).toBe(end ? 'a@b' : undefined)
      }
})

test.each(['a%2F..%2Fb', '%2e%2e%2fx', '.%2Fx'])(
  'the name %s leads to no other database',
  (name) => {
    expect(serversOf(`postgres://host/${name}`)).toEqual([`postgres://host/${name}`])
  },
)

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
