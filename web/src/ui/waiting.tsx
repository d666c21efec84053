import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { isReachable, UNREACHABLE } from '../graph/request-error.ts'
import { Icon } from './icon.tsx'
import { Button, Empty } from './parts.tsx'
import { say } from './toasts.tsx'

/** Widths of lines of text in percent. */
const WIDTHS = [92, 70, 84, 58, 76]

/** In the place of a text that is on its way. @param inCard whether it stands on its own in a card */
export const Loading = ({ lines = 5, inCard = false }: { lines?: number; inCard?: boolean }) => (
  <div className={`stack ${inCard ? 'body' : ''}`} aria-hidden="true">
    {times(lines, (line) => (
      <span key={line} className="skeleton" style={{ width: `${WIDTHS[line % WIDTHS.length]}%` }} />
    ))}
  </div>
)

/** In the place of a list that is on its way: as high as its rows. */
export const LoadingRows = ({ rows = 8 }: { rows?: number }) => (
  <div className="table ghost" aria-hidden="true">
    <div className="line titles" />
    {times(rows, (row) => (
      <div key={row} className="line" style={{ opacity: 1 - row / rows }}>
        <span className="skeleton" />
        <span className="skeleton" style={{ width: `${WIDTHS[row % WIDTHS.length]}%` }} />
        <span className="skeleton" />
      </div>
    ))}
  </div>
)

/** In the place of figures and charts that are on their way. */
export const LoadingTiles = () => (
  <div className="tiles" aria-hidden="true">
    {times(4, (tile) => (
      <div key={tile} className="tile stack ghost">
        <span className="skeleton" style={{ width: '40%' }} />
        <span className="skeleton" style={{ width: '60%' }} />
      </div>
    ))}
  </div>
)

const times = (number: number, of: (index: number) => ReactNode) =>
  Array.from({ length: number }, (_none, index) => of(index))

const LOOK_MS = 3_000

/** Why something failed, and what to do next. The live region says it, too. Without a server it tries again by itself. */
export function Problem({ message, retry }: { message: string; retry?: () => void }) {
  useEffect(() => say(message), [message])
  const isAway = message === UNREACHABLE
  const look = useEffectEvent(async () => {
    if (await isReachable()) retry?.()
  })
  // Looking shows nothing: the page does not move until the server is there.
  useEffect(() => {
    if (!isAway) return undefined
    const timer = setInterval(() => look(), LOOK_MS)
    return () => clearInterval(timer)
  }, [isAway])
  const again = retry && (
    <Button small icon="again" onClick={retry}>
      Try again
    </Button>
  )
  if (isAway)
    return (
      <section className="card problem">
        <Empty icon="unplugged" title={message}>
          <p>
            It may be stopped or starting, or this machine is cut off from it. What was filled in
            here stays.
          </p>
          {again}
        </Empty>
      </section>
    )
  return (
    <div className="notice bad problem">
      <Icon name="alert" />
      <div className="grow">{message}</div>
      {again}
    </div>
  )
}
