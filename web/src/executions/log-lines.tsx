import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { exactTime, preciseClock } from '../ui/format.ts'
import type { LogLine } from './log-line.ts'

interface LogLinesProps {
  lines: readonly LogLine[]
  /** Text to mark. */
  wanted: string
  /** Whether the page stays at the end as lines arrive. */
  isFollowing: boolean
  /** The reader scrolls up. */
  onLeave?(): void
  /** The end comes near. */
  onEnd?(): void
}

const NEAR = 50

/** Lines in the reader's time; only those that are seen are drawn. */
export function LogLines({ lines, wanted, isFollowing, onLeave, onEnd }: LogLinesProps) {
  const body = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => body.current,
    estimateSize: () => 20,
    overscan: 30,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (isFollowing) virtual.scrollToIndex(lines.length - 1)
  }, [isFollowing, lines.length, virtual])
  useEffect(() => {
    if (last > lines.length - NEAR) onEnd?.()
  }, [last, lines.length, onEnd])
  return (
    <div
      className="log"
      ref={body}
      tabIndex={0}
      role="group"
      aria-label="Log"
      onWheel={({ deltaY }) => deltaY < 0 && onLeave?.()}
    >
      <div className="virtual" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const line = lines[index]
          return line ? (
            <div
              key={index}
              ref={virtual.measureElement}
              data-index={index}
              className={`entry ${line.level}`}
              style={{ transform: `translateY(${start}px)` }}
            >
              <time dateTime={line.time} title={exactTime(line.time)}>
                {preciseClock(line.time)}
              </time>
              <span className="level">{line.level}</span>
              <span className="text">
                <span className="source">
                  <Marked text={line.source} wanted={wanted} />
                </span>{' '}
                <Marked text={line.message} wanted={wanted} />
              </span>
            </div>
          ) : null
        })}
      </div>
    </div>
  )
}

function Marked({ text, wanted }: { text: string; wanted: string }) {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at < 0) return text
  const end = at + wanted.length
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      <Marked text={text.slice(end)} wanted={wanted} />
    </>
  )
}
