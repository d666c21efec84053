import { requireOwnPage } from '../../../gateway/http/origins.ts'

const asked = (headers: Record<string, string>) => () =>
  requireOwnPage({ method: 'POST', headers }, { origins: [] })

const origin = 'https://assay.example.com'

test.each(['127.0.0.1:4000', 'assay', 'assay.example.com:8443'])(
  'where a proxy sent the Host %s instead, the refusal names it and what to pass on',
  (host) => {
    expect(asked({ origin, host })).toThrow(
      `a proxy in front changed the Host to ${host}: have it pass on the Host that the client sent, with its port`,
    )
  },
)

test('a browser that says whose page it is needs no Host', () => {
  expect(asked({ origin, host: 'assay', 'sec-fetch-site': 'same-origin' })).not.toThrow()
  expect(asked({ origin, host: 'assay', 'sec-fetch-site': 'cross-site' })).toThrow(
    /^Pages of https:\/\/assay\.example\.com may not do this \(CORS_ORIGINS names those that may\)$/,
  )
})
