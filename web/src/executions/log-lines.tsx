import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { exactTime, preciseClock } from '../ui/format.ts'
import type { LogLine } from './log-line.ts'

interface LogLinesProps {
  /** Those that are not read yet are undefined. */
  lines: readonly (LogLine | undefined)[]
  body: RefObject<HTMLDivElement | null>
  /** Text to mark. */
  wanted: string
  /** True if the page stays at the end as lines arrive. */
  isFollowing: boolean
  /** The reader scrolls up. */
  onLeave?(): void
  /** Called with the lines that are drawn. */
  onSee?(from: number, to: number): void
}

const UP = ['ArrowUp', 'PageUp', 'Home']

/** Lines in the reader's time; only those that are seen are drawn. */
export function LogLines({ lines, body, wanted, isFollowing, onLeave, onSee }: LogLinesProps) {
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => body.current,
    estimateSize: () => 20,
    overscan: 30,
  })
  const items = virtual.getVirtualItems()
  const from = items[0]?.index ?? 0
  const to = items.at(-1)?.index ?? 0
  useStayAtEnd(body, lines.length, virtual.getTotalSize())
  useEffect(() => {
    if (isFollowing) virtual.scrollToIndex(lines.length - 1)
  }, [isFollowing, lines.length, virtual])
  // Also when nothing moved: what was asked for may have arrived, and more be missing.
  useEffect(() => onSee?.(from, to))
  // At once: lines that are measured on the way would end the browser's own scrolling halfway.
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const { key, altKey, metaKey, currentTarget } = event
    if (altKey || metaKey) return
    if (UP.includes(key)) onLeave?.()
    if (key !== 'Home' && key !== 'End') return
    event.preventDefault()
    currentTarget.scrollTo(0, key === 'Home' ? 0 : currentTarget.scrollHeight)
  }
  return (
    <div
      className="log"
      ref={body}
      tabIndex={0}
      role="group"
      aria-label="Log"
      onKeyDown={onKey}
      onWheel={({ deltaY }) => deltaY < 0 && onLeave?.()}
    >
      <div className="virtual" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const line = lines[index]
          const place = {
            'data-index': index,
            style: { transform: `translateY(${start}px)` },
          }
          return line ? (
            <div
              key={index}
              ref={virtual.measureElement}
              className={`entry ${line.level}`}
              {...place}
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
          ) : (
            <div key={`missing ${index}`} className="entry" aria-hidden="true" {...place}>
              <span className="skeleton" />
            </div>
          )
        })}
      </div>
    </div>
  )
}

/**
 * Keeps a reader at the end as lines turn out to be higher than estimated. `anchorTo` of the virtualizer does so, too,
 * but adds up all heights for each line that it measures.
 */
function useStayAtEnd(body: RefObject<HTMLDivElement | null>, count: number, height: number): void {
  const before = useRef({ count, height: Infinity })
  useLayoutEffect(() => {
    const { current } = body
    if (!current || height === 0) return
    const { scrollTop, clientHeight, scrollHeight } = current
    const wasAtEnd = scrollTop + clientHeight >= before.current.height - 1
    if (wasAtEnd && before.current.count === count) current.scrollTop = scrollHeight
    before.current = { count, height: scrollHeight }
  }, [body, count, height])
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
