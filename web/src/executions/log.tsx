import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { plural } from '../ui/format.ts'
import { Empty } from '../ui/parts.tsx'

const LEVEL = /^\S+ +(INFO|WARN|ERROR|DEBUG)\b/

/** The log; while the execution runs, the page follows its end until its reader scrolls up. */
export function Log({ lines, isRunning }: { lines: readonly string[]; isRunning: boolean }) {
  const [text, setText] = useState('')
  const [isFollowing, setFollowing] = useState(true)
  const body = useRef<HTMLDivElement>(null)
  const wanted = text.toLowerCase()
  const shown = lines
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => wanted === '' || line.toLowerCase().includes(wanted))
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => body.current,
    estimateSize: () => 20,
    overscan: 30,
  })
  useEffect(() => {
    if (isRunning && isFollowing && shown.length > 0) virtual.scrollToIndex(shown.length - 1)
  }, [isRunning, isFollowing, shown.length, virtual])

  if (lines.length === 0)
    return <Empty icon="list" title={isRunning ? 'No log line yet' : 'The log is empty'} />
  return (
    <>
      <div className="row log-tools">
        <input
          className="input grow"
          data-search
          aria-label="Search the log"
          placeholder="Search the log"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <span className="under number" role="status">
          {plural(shown.length, 'line')}
        </span>
        {isRunning && (
          <label className="chip">
            <input
              type="checkbox"
              checked={isFollowing}
              onChange={({ target }) => setFollowing(target.checked)}
            />
            Follow
          </label>
        )}
      </div>
      <div
        className="log"
        ref={body}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="Log"
        onWheel={({ deltaY }) => deltaY < 0 && setFollowing(false)}
      >
        <div className="virtual" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const entry = shown[index]
            return entry ? (
              <div
                key={entry.number}
                ref={virtual.measureElement}
                data-index={index}
                className="entry"
                style={{ transform: `translateY(${start}px)` }}
              >
                <span>{entry.number}</span>
                <span className={`text ${LEVEL.exec(entry.line)?.[1] ?? ''}`}>
                  <Marked text={entry.line} wanted={wanted} />
                </span>
              </div>
            ) : null
          })}
        </div>
      </div>
    </>
  )
}

function Marked({ text, wanted }: { text: string; wanted: string }) {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted)
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
