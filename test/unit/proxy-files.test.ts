import { readFileSync } from 'node:fs'

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const FILES = ['deploy/proxies', 'deploy/haproxy', 'deploy/one-machine']

test.each(FILES)('%s/haproxy.cfg holds what the guide for proxies asks for', (folder) => {
  const lines = textOf(`${folder}/haproxy.cfg`).split('\n')
  const settings = lines.map((line) => line.trim().split(/\s+/).slice(0, 3).join(' '))
  expect(settings).toEqual(
    expect.arrayContaining([
      'timeout check 3s', // else a check has the 250 ms between two of them, and a busy gateway counts as dead
      'timeout server 1h',
      'timeout tunnel 1h',
      'option http-no-delay',
      'http-request del-header X-Forwarded-For',
      'http-request set-header X-Forwarded-Proto',
      'option forwardfor',
    ]),
  )
})

test('the guide for proxies links each of its files', () => {
  const guide = textOf('docs/how-to/put-a-proxy-in-front.md')
  for (const file of ['nginx.conf', 'haproxy.cfg', 'apache.conf', 'Caddyfile', 'varnish.vcl'])
    expect(guide).toContain(`](../../deploy/proxies/${file})`)
})
