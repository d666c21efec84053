import { Button, Dialog } from './parts.tsx'
import { createStore } from './store.ts'

interface Question {
  text: string
  yes: string
  no: string
  answer(isYes: boolean): void
}

const asked = createStore<Question | null>(null)

/** Asks before something that cannot be undone. @param yes text of the button that does it @param no text of the other one */
export const isSure = (text: string, yes: string, no = 'Cancel'): Promise<boolean> =>
  new Promise((answer) => asked.set({ text, yes, no, answer }))

/** The question that waits for an answer. */
export function QuestionDialog() {
  const question = asked.use()
  if (!question) return null
  const { text, yes, no } = question
  const end = (isYes: boolean) => {
    asked.set(null)
    question.answer(isYes)
  }
  return (
    <Dialog title={text} onClose={() => end(false)}>
      <div className="ends">
        <Button onClick={() => end(false)}>{no}</Button>
        <Button look="danger" onClick={() => end(true)}>
          {yes}
        </Button>
      </div>
    </Dialog>
  )
}
