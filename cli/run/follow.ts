import type { Client } from '../client.ts'
import type { Update as Shown } from '../json.ts'
import { resumed } from '../resumed.ts'
import { painted, type Terminal } from '../terminal.ts'
import { showProgress } from './progress.ts'

type Update = Omit<Shown, 'resultId'>

interface Watched {
  executionUpdated: Update
}

/**
 * Shows every update of an execution until it ends, of a suite also those of its scenarios, and its progress below. A
 * stream that breaks goes on behind its last update.
 * @throws CommandError
 */
export async function follow(id: string, client: Client, terminal: Terminal): Promise<void> {
  const progress = showProgress(id, client, terminal)
  const running = new Map<string, string>()
  let steps = 0
  try {
    await followLines(id, client, terminal, '', ({ step, execution }) => {
      if (step?.state === 'RUNNING')
        running.set(step.id, step.message ? `${step.name}: ${step.message}` : step.name)
      else if (step && running.delete(step.id)) steps++
      progress.update({ ...execution.progress, steps, names: [...running.values()] })
    })
  } finally {
    progress.end()
  }
}

async function followLines(
  id: string,
  client: Client,
  terminal: Terminal,
  indent: string,
  onUpdate: (update: Update) => void,
): Promise<void> {
  const members: Promise<void>[] = []
  for await (const { executionUpdated: update } of updates(id, client, terminal)) {
    terminal.json({ resultId: id, ...update })
    for (const line of linesOf(update, terminal)) terminal.line(indent + line)
    const { step, execution } = update
    if (update.kind === 'STEP' && step?.state === 'RUNNING' && execution.type === 'SUITE') {
      const member = followLines(step.id, client, terminal, `${indent}    `, () => {})
      member.catch(() => {}) // it may end by Ctrl-C before this loop does, which ends with the same reason
      members.push(member)
    }
    onUpdate(update)
  }
  await Promise.all(members)
}

const updates = (id: string, client: Client, terminal: Terminal): AsyncGenerator<Watched, void> =>
  resumed({
    open: (after, onOpen) => client.subscribe<Watched>('watch', { id, after }, onOpen),
    cursorOf: ({ executionUpdated }) => executionUpdated.cursor,
    first: '',
    onLost: (reason) => terminal.note(`${reason}. Trying again`),
    signal: client.signal,
  })

function linesOf({ kind, log, step, execution }: Update, terminal: Terminal): string[] {
  const said = (message: string | null) => (message ? ` ${message}` : '')
  if (kind === 'LOG') return (log ?? []).map((line) => terminal.paint('dim', `    ${line}`))
  if (kind === 'STEP')
    return step ? [`  ${painted(terminal, step.state)} ${step.name}${said(step.message)}`] : []
  return [painted(terminal, execution.state) + said(execution.message)]
}
