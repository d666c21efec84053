import { useEffect } from 'react'
import { Button } from '../ui/parts.tsx'

/** Saving, and the warning before changes are lost. */
export function SaveBar({
  isChanged,
  isBusy,
  onSave,
}: {
  isChanged: boolean
  isBusy: boolean
  onSave(): void
}) {
  useEffect(() => {
    if (!isChanged) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isChanged])
  return (
    <>
      {isChanged && <span className="under">Not saved</span>}
      <Button look="primary" icon="check" disabled={!isChanged || isBusy} onClick={onSave}>
        Save
      </Button>
    </>
  )
}
