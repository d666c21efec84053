import { count } from './format.ts'
import type { Tone } from './state.tsx'

export interface Bar {
  key: string
  /** From the top down. */
  parts: readonly { value: number; tone?: Tone }[]
  /** Meaning, for those who point at it. */
  title: string
}

interface BarsProps {
  label: string
  bars: readonly Bar[]
  from: string
  to: string
}

/** Bars along time. Their sum is said to those who do not see them. */
export function Bars({ label, bars, from, to }: BarsProps) {
  const sums = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0))
  const most = Math.max(1, ...sums)
  const all = sums.reduce((sum, each) => sum + each, 0)
  return (
    <figure>
      <div
        className="chart"
        role="img"
        aria-label={`${label}: ${count(all)} from ${from} to ${to}, at most ${count(most)} in one bar`}
      >
        {bars.map(({ key, parts, title }) => (
          <div key={key} className="column" title={title}>
            {parts.map(
              ({ value, tone = 'plain' }) =>
                value > 0 && (
                  <div
                    key={tone}
                    className={`part ${tone}`}
                    style={{ height: `max(3px, ${(value / most) * 100}%)` }}
                  />
                ),
            )}
          </div>
        ))}
      </div>
      <div className="axis" aria-hidden="true">
        <span>{from}</span>
        <span>{to}</span>
      </div>
    </figure>
  )
}
