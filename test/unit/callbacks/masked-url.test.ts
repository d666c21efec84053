import { maskedUrl } from '../../../subgraphs/test-execution/callbacks/callback.service.ts'

test.each([
  ['http://receiver.example/hook', 'http://receiver.example/hook'],
  [
    'https://receiver.example:8443/a?token=t0p&run=7',
    'https://receiver.example:8443/a?token=***&run=***',
  ],
  ['https://me:pass@receiver.example/', 'https://***:***@receiver.example/'],
  ['https://receiver.example/?t0p', 'https://receiver.example/?***'],
  ['https://receiver.example/?a=1&t0p&b=2=3', 'https://receiver.example/?a=***&***&b=***'],
  ['https://receiver.example/#t0p', 'https://receiver.example/#***'],
])('%s is shown as %s', (url, shown) => {
  expect(maskedUrl(url)).toBe(shown)
})
