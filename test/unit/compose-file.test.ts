import { composeServices } from '../e2e-compose/compose-file.ts'

const SECRETS = ['POSTGRES_PASSWORD', 'SECRETS_KEY', 'CALLBACK_SIGNING_SECRET', 'INTERNAL_SECRET']
const variables = Object.fromEntries(SECRETS.map((name) => [name, 'a-secret']))

test('no secret has a default: each is asked for, with the command that makes one', () => {
  for (const name of SECRETS)
    expect(() => composeServices({ ...variables, [name]: '' })).toThrow(
      new RegExp(`${name}.*openssl rand -(hex|base64) \\d+`),
    )
})

test('code runs in strict mode unless the operator says otherwise', () => {
  expect(composeServices(variables).worker?.environment?.SANDBOX).toBe('strict')
})

test('only the gateway is published, and to this machine only', () => {
  const published = Object.entries(composeServices(variables)).filter(([, { ports }]) => ports)
  expect(published.map(([name, { ports }]) => [name, ports])).toEqual([
    ['gateway', ['127.0.0.1:4000:4000']],
  ])
})
