import { useEffect } from 'react'
import { useConnection } from '../graph/stream.ts'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/toasts.tsx'

/** Stands with the messages while updates do not arrive, so that the page below does not move. */
export function Offline() {
  const isLost = useConnection() === 'lost'
  useEffect(() => {
    if (!isLost) return undefined
    say('Updates do not arrive any more')
    return () => say('Updates arrive again')
  }, [isLost])
  return isLost ? (
    <div className="notice warn">
      <Icon name="alert" />
      <span>
        The connection to the server is lost. The page shows what was true until then, and continues
        without a gap as soon as the server answers.
      </span>
    </div>
  ) : null
}
