import { Releasers, withReleasers } from '../../../subgraphs/platform/process/releasers.ts'

test('what was started last is released first, once, also after a failure', async () => {
  const released: string[] = []
  const releasers = new Releasers()
  releasers.defer(() => released.push('database'))
  releasers.defer(() => Promise.reject(new Error('stuck')))
  releasers.defer(() => released.push('server'))
  await expect(releasers.release()).rejects.toThrow('Shutdown was not clean')
  await releasers.release()
  expect(released).toEqual(['server', 'database'])
})

test('a start that fails half-way undoes what it had started, and tells why it failed', async () => {
  const released: string[] = []
  const start = withReleasers(async (releasers) => {
    releasers.defer(() => released.push('database'))
    throw new Error('port taken')
  })
  await expect(start).rejects.toThrow('port taken')
  expect(released).toEqual(['database'])
})
