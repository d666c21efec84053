import { useState } from 'react'
import { count } from './format.ts'
import type { Tone } from './state.tsx'

export interface Bar {
  key: string
  /** From the top down. */
  parts: readonly { value: number; tone?: Tone | 'plain' | 'critical' }[]
  /** Meaning, for those who point at it. */
  title: string
}

interface BarsProps {
  label: string
  bars: readonly Bar[]
  from: string
  to: string
  /** False where a sum of bars means nothing. */
  hasSum?: boolean
  /** Hears the places of the first and last bar over which the pointer was dragged. */
  onSelect?(first: number, last: number): void
}

/** Bars along time. Their sum is said to those who do not see them. */
export function Bars({ label, bars, from, to, hasSum = true, onSelect }: BarsProps) {
  const [dragged, setDragged] = useState<readonly [number, number] | null>(null)
  const [first, last] = dragged ? [Math.min(...dragged), Math.max(...dragged)] : [0, -1]
  const sums = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0))
  const most = Math.max(1, ...sums)
  const all = sums.reduce((sum, each) => sum + each, 0)
  return (
    <figure>
      <div
        className={`chart ${onSelect ? 'selects' : ''}`}
        role="img"
        onPointerUp={() => setDragged(null)}
        onPointerLeave={() => setDragged(null)}
        aria-label={`${label}:${hasSum ? ` ${count(all)}` : ''} from ${from} to ${to}, at most ${count(Math.round(most))} in one bar`}
      >
        {bars.map(({ key, parts, title }, at) => (
          <div
            key={key}
            className={`column ${at >= first && at <= last ? 'dragged' : ''}`}
            title={title}
            {...(onSelect && {
              onPointerDown: () => setDragged([at, at]),
              onPointerEnter: () => dragged && setDragged([dragged[0], at]),
              onPointerUp: () => onSelect(first, last),
            })}
          >
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
