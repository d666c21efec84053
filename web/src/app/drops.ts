import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { isRequestText } from '../repository/request-text.ts'
import { attempt, toast } from '../ui/toasts.tsx'

/** True for requests, and for markup or data that may be a report; other texts are left to the browser. */
const isKnown = (text: string): boolean => isRequestText(text) || /^\s*[<[{]/.test(text)

const isField = (event: Event): boolean => {
  const target = event.composedPath()[0]
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('dialog') !== null ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

/** Takes in files and texts that are dropped or pasted anywhere on a page but into a field. */
export function useDrops(): void {
  const navigate = useNavigate()
  const take = useEffectEvent((data: DataTransfer) => {
    const files = [...data.files]
    const text = data.getData('text/plain')
    void attempt(async () => {
      const texts =
        files.length > 0
          ? await Promise.all(
              files.map(async (file) => ({ name: file.name, text: await file.text() })),
            )
          : [{ name: 'pasted', text }]
      const { takeIn } = await import('../repository/take-in.ts')
      const taken = await takeIn(texts)
      await navigate({ to: taken.to, params: { id: taken.id ?? '' } })
      toast('good', taken.says, taken.undo)
    })
  })
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') || !isField(event)) event.preventDefault()
    }
    const taken = (event: Event, data: DataTransfer | null) => {
      if (!data || event.defaultPrevented) return
      const isFile = data.files.length > 0
      if (!isFile && (isField(event) || !isKnown(data.getData('text/plain')))) return
      event.preventDefault()
      take(data)
    }
    const drop = (event: DragEvent) => taken(event, event.dataTransfer)
    const paste = (event: ClipboardEvent) => taken(event, event.clipboardData)
    document.addEventListener('dragover', over)
    document.addEventListener('drop', drop)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('drop', drop)
      document.removeEventListener('paste', paste)
    }
  }, [])
}
