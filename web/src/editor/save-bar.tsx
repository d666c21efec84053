import { useEffect } from 'react'
import { Button } from '../ui/parts.tsx'

/** Saving, and the warning before changes are lost. */
export function SaveBar({
  isChanged,
  isBusy,
  onSave,
  onDiscard,
}: {
  isChanged: boolean
  isBusy: boolean
  onSave(): void
  onDiscard(): void
}) {
  useEffect(() => {
    if (!isChanged) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isChanged])
  return (
    <>
      {isChanged && (
        <>
          <span className="under">Not saved</span>
          <Button look="plain" onClick={onDiscard}>
            Discard
          </Button>
        </>
      )}
      <Button look="primary" icon="check" disabled={!isChanged || isBusy} onClick={onSave}>
        Save
      </Button>
    </>
  )
}
