import { settingsFor } from '../../../platform/data-dir/postgres-settings.ts'

const GIGABYTE = 2 ** 30

test.each([
  [0.5, '128MB', '256MB'],
  [2, '128MB', '1024MB'],
  [8, '512MB', '4096MB'],
  [64, '1024MB', '32768MB'],
])('with %d GB of memory the database caches %s and counts on %s', (gigabytes, buffers, cache) => {
  expect(settingsFor(gigabytes * GIGABYTE)).toMatchObject({
    shared_buffers: buffers,
    effective_cache_size: cache,
  })
})
