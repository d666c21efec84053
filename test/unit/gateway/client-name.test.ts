import { clientLabels, clientNameIn } from '../../../gateway/observability/client-name.ts'

test('a client is named by the headers of Hive or of Apollo, those of Hive first', () => {
  expect(clientNameIn({})).toBeUndefined()
  expect(clientNameIn({ 'graphql-client-name': '' })).toBeUndefined()
  expect(clientNameIn({ 'apollographql-client-version': '1' })).toBeUndefined()
  const apollo = { 'apollographql-client-name': 'ios', 'apollographql-client-version': '2.1' }
  expect(clientNameIn(apollo)).toEqual({ client: 'ios', version: '2.1' })
  expect(clientNameIn({ ...apollo, 'graphql-client-name': 'x'.repeat(500) })).toEqual({
    client: 'x'.repeat(100),
    version: '',
  })
})

test('after 200 clients the others are one', () => {
  const labelsOf = clientLabels()
  const clients = Array.from({ length: 201 }, (_, nth) => ({ client: 'a', version: String(nth) }))
  const labels = clients.map(labelsOf)
  expect(labels.slice(0, 200)).toEqual(clients.slice(0, 200))
  expect(labels[200]).toEqual({ client: 'other', version: 'other' })
  expect(labelsOf({ client: 'a', version: '7' })).toEqual({ client: 'a', version: '7' })
})
