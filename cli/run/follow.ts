import type { Client } from '../client.ts'
import { resumed } from '../resumed.ts'
import { painted, type Terminal } from '../terminal.ts'

const WATCH = `subscription Watch($id: ID!, $after: String) {
  executionUpdated(id: $id, after: $after) {
    cursor kind log
    step { id name state message }
    execution { type state message }
  }
}`

interface Update {
  cursor: string
  kind: 'STATE' | 'STEP' | 'LOG'
  log: string[] | null
  step: { id: string; name: string; state: string; message: string | null } | null
  execution: { type: 'TEST' | 'SUITE'; state: string; message: string | null }
}

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
  for await (const { executionUpdated: update } of updates(id, client)) {
    terminal.json({ resultId: id, ...update })
    for (const line of linesOf(update, terminal)) terminal.line(indent + line)
    const { step, execution } = update
    if (update.kind === 'STEP' && step?.state === 'RUNNING' && execution.type === 'SUITE') {
      const member = follow(step.id, client, terminal, `${indent}    `)
      member.catch(() => {}) // it may end by Ctrl-C before this loop does, which ends with the same reason
      members.push(member)
    }
  }
  await Promise.all(members)
}

const updates = (id: string, client: Client): AsyncGenerator<Watched, void> =>
  resumed({
    open: (after) => client.subscribe<Watched>(WATCH, { id, after }),
    cursorOf: ({ executionUpdated }) => executionUpdated.cursor,
    first: '',
  })

function linesOf({ kind, log, step, execution }: Update, terminal: Terminal): string[] {
  const said = (message: string | null) => (message ? ` ${message}` : '')
  if (kind === 'LOG') return (log ?? []).map((line) => terminal.paint('dim', `    ${line}`))
  if (kind === 'STEP')
    return step ? [`  ${painted(terminal, step.state)} ${step.name}${said(step.message)}`] : []
  return [painted(terminal, execution.state) + said(execution.message)]
}
