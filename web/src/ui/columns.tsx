import { count } from './format.ts'
import type { Tone } from './state.tsx'

export interface Bar {
  key: string
  value: number
  tone?: Tone
  /** What it stands for, for those who point at it. */
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
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const all = bars.reduce((sum, { value }) => sum + value, 0)
  return (
    <figure>
      <div
        className="chart"
        role="img"
        aria-label={`${label}: ${count(all)} from ${from} to ${to}, at most ${count(most)} in one bar`}
      >
        {bars.map(({ key, value, tone, title }) => (
          <div
            key={key}
            className={`column ${tone ?? ''}`}
            title={title}
            style={{ height: value === 0 ? 0 : `max(3px, ${(value / most) * 100}%)` }}
          />
        ))}
      </div>
      <div className="axis" aria-hidden="true">
        <span>{from}</span>
        <span>{to}</span>
      </div>
    </figure>
  )
}
