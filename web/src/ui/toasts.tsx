import { type ReactNode, useEffect, useRef } from 'react'
import { isTyping } from '../app/keyboard.ts'
import { Icon } from './icon.tsx'
import { Button } from './parts.tsx'
import { createStore } from './store.ts'

interface Toast {
  id: number
  tone: 'good' | 'bad'
  text: string
  undo?: Undo | undefined
  /** True if it stays until it is closed. */
  isBusy?: boolean
}

/** Takes an action back. @returns what it says */
type Undo = () => Promise<string>

const SHOWN_MS = 6_000
/** As there is something to decide. */
const UNDOABLE_MS = 10_000
const toasts = createStore<readonly Toast[]>([])
const said = createStore({ id: 0, text: '' })
let last = 0

/** Shows what became of an action, and says it in the live region. @param undo offered while it is shown */
export function toast(tone: Toast['tone'], text: string, undo?: Undo): void {
  toasts.set([...toasts.get().slice(-3), { id: ++last, tone, text, undo }])
  say(undo ? `${text}. Press z to undo` : text)
}

const close = (id: number) => toasts.set(toasts.get().filter((each) => each.id !== id))

async function takeBack({ id, undo }: Toast): Promise<void> {
  if (!undo) return
  const busy = { id, tone: 'good', text: 'Undoing …', isBusy: true } as const
  toasts.set(toasts.get().map((each) => (each.id === id ? busy : each)))
  await attempt(undo, undo)
  close(id)
}

/** Says something to those who do not see the page. */
export const say = (text: string): void => said.set({ id: said.get().id + 1, text })

/** Runs an action of a button, and shows what it says or why it failed. */
export async function attempt(
  action: () => Promise<string | undefined> | Promise<void>,
  undo?: Undo,
): Promise<void> {
  try {
    const text = await action()
    if (text) toast('good', text)
  } catch (error) {
    toast('bad', error instanceof Error ? error.message : String(error), undo)
  }
}

/** The one live region of the page, and the messages. @param children what stays until it is over */
export function Toasts({ children }: { children: ReactNode }) {
  const shown = toasts.use()
  const { id, text } = said.use()
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const last = toasts.get().findLast(({ undo }) => undo)
      if (last && event.key === 'z' && !isTyping(event)) void takeBack(last)
    }
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  return (
    <>
      <div className="hidden" aria-live="polite" aria-atomic="true">
        {/* Screen readers say what changes: the same text again is a new element. */}
        <span key={id}>{text}</span>
      </div>
      <div className="toasts">
        {shown.map((each) => (
          <Message key={each.id} toast={each} />
        ))}
        {children}
      </div>
    </>
  )
}

/** Stays while the pointer or the focus is on it. */
function Message({ toast }: { toast: Toast }) {
  const { id, tone, text, undo, isBusy } = toast
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isBusy) return
    const leave = () => {
      if (!notice.current?.matches(':hover, :focus-within')) close(id)
    }
    const timer = setInterval(leave, undo ? UNDOABLE_MS : SHOWN_MS)
    return () => clearInterval(timer)
  }, [id, undo, isBusy])
  return (
    <div ref={notice} className={`notice ${tone}`}>
      <Icon name={isBusy ? 'spin' : tone === 'good' ? 'check' : 'alert'} />
      <span className="grow">{text}</span>
      {undo && (
        <Button small aria-keyshortcuts="z" onClick={() => takeBack(toast)}>
          Undo
        </Button>
      )}
    </div>
  )
}
