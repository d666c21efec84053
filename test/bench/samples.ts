/** Summary of a series of measurements. */
export interface Summary {
  n: number
  min: number
  p50: number
  p99: number
  max: number
  mean: number
}

/** @param samples at least one; percentiles are nearest ranks, so each is a value that was measured */
export function summarize(samples: readonly number[]): Summary {
  const sorted = [...samples].sort((a, b) => a - b)
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN
  const mean = sorted.reduce((sum, each) => sum + each, 0) / sorted.length
  return { n: sorted.length, min: rank(0), p50: rank(0.5), p99: rank(0.99), max: rank(1), mean }
}

/** One line for people, and the samples behind it. */
export function printSamples(
  title: string,
  samples: readonly number[],
  unit = 'ms',
  withEach = true,
): void {
  const { n, min, p50, p99, max, mean } = summarize(samples)
  const figures = Object.entries({ min, p50, p99, max, mean })
    .map(([name, value]) => `${name} ${format(value)}`)
    .join(' · ')
  print(`${title}: ${figures} ${unit} (n = ${n})`)
  if (withEach) print(`  samples: ${samples.map(format).join(' ')}`)
}

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

export const format = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)
