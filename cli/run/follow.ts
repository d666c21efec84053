import type { Client } from '../client.ts'
import type { Update as Shown } from '../json.ts'
import { resumed } from '../resumed.ts'
import { painted, type Terminal } from '../terminal.ts'
import { progressLine } from './progress.ts'

type Update = Omit<Shown, 'resultId'>

interface Watched {
  executionUpdated: Update
}

/**
 * Shows every update of an execution until it ends; of a suite also those of its scenarios. A stream that breaks goes on
 * behind its last update.
 * @throws CommandError
 */
export async function follow(
  id: string,
  client: Client,
  terminal: Terminal,
  indent = '',
): Promise<void> {
  const members: Promise<void>[] = []
  const running = new Map<string, string>()
  for await (const { executionUpdated: update } of updates(id, client, terminal)) {
    terminal.json({ resultId: id, ...update })
    for (const line of linesOf(update, terminal)) terminal.line(indent + line)
    const { step, execution } = update
    if (update.kind === 'STEP' && step?.state === 'RUNNING' && execution.type === 'SUITE') {
      const member = follow(step.id, client, terminal, `${indent}    `)
      member.catch(() => {}) // it may end by Ctrl-C before this loop does, which ends with the same reason
      members.push(member)
    }
    if (step?.state === 'RUNNING') running.set(step.id, step.name)
    else if (step) running.delete(step.id)
    if (indent === '') terminal.progress(progressOf(execution, [...running.values()], terminal))
  }
  await Promise.all(members)
}

function progressOf(
  { state, progress }: Update['execution'],
  names: readonly string[],
  terminal: Terminal,
): string | null {
  if (state !== 'RUNNING') return null
  const { scenarios: total, scenariosEnded: ended, queuePosition } = progress
  return progressLine({ ended, total, names, queuePosition }, terminal)
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
