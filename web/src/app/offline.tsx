import { useEffect } from 'react'
import { useConnection } from '../graph/socket.ts'
import { useTroubles } from '../graph/trouble.ts'
import { Icon } from '../ui/icon.tsx'
import { Button } from '../ui/parts.tsx'
import { say } from '../ui/toasts.tsx'

/** Stands with the messages while updates do not arrive, so that the page below does not move. */
export function Offline() {
  const isLost = useConnection() === 'lost'
  const troubles = useTroubles()
  const isMissing = isLost || troubles.length > 0
  useEffect(() => {
    if (!isMissing) return undefined
    say('Updates do not arrive any more')
    return () => say('Updates arrive again')
  }, [isMissing])
  if (isLost)
    return (
      <div className="notice warn">
        <Icon name="alert" />
        <span>
          The connection to the server is lost. The page shows what was true until then, and
          continues without a gap as soon as the server answers.
        </span>
      </div>
    )
  const [trouble] = troubles
  return trouble ? (
    <div className="notice warn">
      <Icon name="alert" />
      <span className="grow">Updates do not arrive: {trouble.message}</span>
      <Button
        small
        icon="again"
        onClick={() => {
          for (const { retry } of troubles) retry()
        }}
      >
        Try again
      </Button>
    </div>
  ) : null
}
