import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { RequestError } from '../../graph/request-error.ts'
import { createStore } from '../../ui/store.ts'
import { attempt } from '../../ui/toasts.tsx'
import { type Fault, faultOf } from './faults.ts'

/** Pause of typing before a draft is checked. */
const CHECK_MS = 400

/** True if a code means that another has changed or deleted it. */
const isChange = (code: unknown) => code === 'PRECONDITION_FAILED' || code === 'NOT_FOUND'

export interface Stored<Draft> {
  draft: Draft
  revision: number
}

/** A draft that its reader has left unsaved. */
interface Left<Draft> {
  draft: Draft
  initial: Draft
  base: Stored<Draft> | null
}

/** Drafts by the names of their forms, until the page is closed: going to an execution and back loses nothing. */
const left = new Map<string, Left<unknown>>()

/** Number of drafts that came from elsewhere: forms that are open begin anew with the next one. */
export const brought = createStore(0)

/**
 * Leaves a draft for the form of a new one.
 * @param start what the form would begin with
 * @returns what brings back the draft that it replaces
 */
export function bringDraft<Draft>(noun: string, draft: Draft, start: Draft): () => void {
  const name = `${noun} new`
  const former = left.get(name)
  left.set(name, { draft, initial: start, base: null })
  brought.set(brought.get() + 1)
  return () => {
    if (former) left.set(name, former)
    else left.delete(name)
    brought.set(brought.get() + 1)
  }
}

interface DraftOptions<Draft> {
  /** Kind, such as suite. */
  noun: string
  /** One of these: its id and the start of the form. */
  of: string
  /** Stored version; null for a new one. */
  stored: Stored<Draft> | null
  /** First values of the form. */
  start: Draft
  /** Faults that the server finds without storing anything; asked when typing pauses. */
  check(draft: Draft): Promise<readonly string[]>
  /** Stores it; refused unless one of these revisions is stored. @returns the new revision */
  store(draft: Draft, revisions: number[] | null): Promise<number>
  /** Reads what is stored now; null where it was deleted. */
  latest(): Promise<Stored<Draft> | null>
}

/** A form over an artifact: its draft, the faults of it, and what another has stored meanwhile. */
export interface Editing<Draft> {
  draft: Draft
  /** The draft as it was last replaced as a whole, for editors that keep their text to themselves. */
  origin: Draft
  set(part: Partial<Draft>): void
  /** Sets all of it; editors start anew with its text. */
  replace(draft: Draft): void
  faults: readonly Fault[]
  isChanged: boolean
  isBusy: boolean
  save(): void
  /** Goes back to what is stored, or to what the form of a new one had at first. */
  discard(): void
  /** Version that another stored since the form was opened; `gone` where it was deleted. */
  conflict: Stored<Draft> | 'gone' | null
  /** Replaces the draft by what the other has stored. */
  takeTheirs(): void
  /** Keeps the draft: saving it replaces what the other has stored. */
  keepMine(): void
}

export function useDraft<Draft extends object>({
  noun,
  of,
  stored,
  start,
  check,
  store,
  latest,
}: DraftOptions<Draft>): Editing<Draft> {
  const name = `${noun} ${of}`
  const [found] = useState(left.get(name) as Left<Draft> | undefined) // forms of a name have the same draft
  const [draft, setDraft] = useState(found?.draft ?? start)
  const [initial] = useState(found?.initial ?? start)
  const [origin, setOrigin] = useState(draft)
  const [base, setBase] = useState(found ? found.base : stored)
  const [conflict, setConflict] = useState<Editing<Draft>['conflict']>(null)
  const [isBusy, setBusy] = useState(false)
  const key = JSON.stringify(draft)
  const isChanged = key !== JSON.stringify(base?.draft ?? initial)
  const [faults, refuse] = useFaults(key, isChanged, check)

  useEffect(() => {
    if (isChanged) left.set(name, { draft, initial, base })
    else left.delete(name)
  }, [name, isChanged, draft, initial, base])

  const save = () =>
    attempt(async () => {
      setBusy(true)
      try {
        const revision = await store(draft, base && [base.revision])
        left.delete(name)
        setBase({ draft, revision })
        setConflict(null)
        return `The ${noun} was saved`
      } catch (error) {
        if (base && error instanceof RequestError && error.codes.some(isChange))
          setConflict((await latest()) ?? 'gone')
        else if (error instanceof Error) refuse(error)
        throw error
      } finally {
        setBusy(false)
      }
    })

  const replace = (next: Draft) => {
    setDraft(next)
    setOrigin(next)
  }

  return {
    draft,
    origin,
    set: (part) => setDraft((before) => ({ ...before, ...part })),
    replace,
    faults,
    isChanged,
    isBusy,
    save,
    discard() {
      replace(base?.draft ?? initial)
      setConflict(null)
    },
    conflict,
    takeTheirs() {
      if (conflict === null || conflict === 'gone') return
      setBase(conflict)
      replace(conflict.draft)
      setConflict(null)
    },
    keepMine() {
      if (conflict === null || conflict === 'gone') return
      setBase(conflict)
      setConflict(null)
    },
  }
}

/** Faults of a draft, by a check when typing pauses. @returns them, and what takes in why the server did not store it */
function useFaults<Draft>(
  key: string,
  isChanged: boolean,
  check: (draft: Draft) => Promise<readonly string[]>,
): [readonly Fault[], (error: Error) => void] {
  const [faults, setFaults] = useState<readonly Fault[]>([])
  /** The draft that the server has refused to store. */
  const refused = useRef<string | null>(null)
  const checked = useEffectEvent(check)
  useEffect(() => {
    let isCurrent = true
    if (!isChanged) {
      setFaults([])
      return undefined
    }
    const timer = setTimeout(async () => {
      const found = await checked(JSON.parse(key)).catch(() => []) // saving says why the server cannot be asked
      // Saving knows more of the same draft.
      if (isCurrent && refused.current !== key) setFaults(found.map(faultOf))
    }, CHECK_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [key, isChanged])
  const refuse = ({ message }: Error) => {
    refused.current = key
    setFaults([faultOf(message)])
  }
  return [faults, refuse]
}
