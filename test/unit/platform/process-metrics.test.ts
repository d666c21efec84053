import { type Sample, startProcessMetrics } from '../../../platform/metrics/process-metrics.ts'

test('a value that is not read in time is left out of the page, and not read again before it comes', async () => {
  const metrics = startProcessMetrics()
  const slow = Promise.withResolvers<Sample[]>()
  let reads = 0
  metrics.watch({ name: 'assay_slow', help: 'Of a database that answers nothing.' }, () => {
    reads++
    return slow.promise
  })
  metrics.watch({ name: 'assay_away', help: 'Of a database that is away.' }, () =>
    Promise.reject(new Error('away')),
  )
  metrics.watch({ name: 'assay_there', help: 'Of another one.' }, async () => [
    { labels: {}, value: 7 },
  ])
  const pages = await Promise.all([metrics.registry.metrics(), metrics.registry.metrics()])
  for (const page of pages) {
    expect(page).toContain('\nassay_there 7\n')
    expect(page).not.toMatch(/^assay_(slow|away) /m)
  }
  expect(reads).toBe(1)
  slow.resolve([{ labels: {}, value: 5 }])
  for (const readsBefore of [1, 2]) {
    expect(await metrics.registry.metrics()).toContain('\nassay_slow 5\n')
    expect(reads).toBe(readsBefore)
  }
})

test('the page names the version and the commit of the build', async () => {
  expect(await startProcessMetrics().registry.metrics()).toMatch(
    /^assay_build_info\{version="\d[^"]*",revision="[^"]*",node="v[^"]*"\} 1$/m,
  )
})
