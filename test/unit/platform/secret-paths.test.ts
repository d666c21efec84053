import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secretPaths } from '../../../platform/settings/secret-paths.ts'

const ALWAYS = ['/run/secrets', '/var/run/secrets']

test.each([
  ['nothing is named', {}, null, []],
  ['a file holds a secret', { SECRETS_KEY_FILE: '/etc/key' }, null, ['/etc/key']],
  ['the file is of a setting without secrets', { HOST_FILE: '/etc/host' }, null, []],
  [
    'a file holds the key of TLS',
    { TLS_KEY_FILE: '/etc/tls.key', TLS_CERT_FILE: '/etc/crt' },
    null,
    ['/etc/tls.key'],
  ],
  ['there is a data folder', {}, '/var/lib/assay', ['/var/lib/assay']],
  [
    'the data folder holds temporary files',
    {},
    join(tmpdir(), '..'),
    [join(tmpdir(), '../keys.json'), join(tmpdir(), '../postgres')],
  ],
])(
  'hides folders of secrets by convention, and what else where %s',
  (_, env, dataDir, expected) => {
    expect(secretPaths(env, dataDir)).toEqual([...ALWAYS, ...expected])
  },
)

test('hides the whole folder where Kubernetes replaces what is in it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secret-volume-'))
  mkdirSync(join(folder, '..data'))
  expect(secretPaths({ SECRETS_KEY_FILE: join(folder, 'key') }, null)).toEqual([...ALWAYS, folder])
  rmSync(folder, { recursive: true })
})
