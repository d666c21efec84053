import type pg from 'pg'
import { createSecrets } from '../platform/secrets.ts'

/** Known plaintext, sealed once to check a key. */
const KNOWN = 'assay'

export const sealedBy = (secretsKey: string): string => createSecrets({ secretsKey }).seal(KNOWN)

export function isKeyOf(secretsKey: string, sealed: string): boolean {
  try {
    return createSecrets({ secretsKey }).open(sealed) === KNOWN
  } catch {
    return false
  }
}

/** Names in one line at most. */
const NAMED = 10

/** Secrets of a restored store that only the key of the backup opens. */
export async function unreadable(client: pg.ClientBase): Promise<object> {
  const { rows } = await client.query<{
    environments: string[]
    callbacks: number
    waiting: number
  }>(UNREADABLE)
  const [found] = rows
  const { environments = [], callbacks = 0, waiting = 0 } = found ?? {}
  const more = environments.length > NAMED ? [`${environments.length - NAMED} more`] : []
  return {
    environments: JSON.stringify([...environments.slice(0, NAMED), ...more]),
    waitingCallbacks: callbacks,
    waitingExecutions: waiting,
    hint: 'set the SECRETS_KEY of the backup, or that of its keys.json',
  }
}

const UNREADABLE = `
  select
    array(select name from test_execution.artifact where sealed <> '{}' order by name) as environments,
    (select count(*)::int from test_execution.callback_delivery where next_attempt_at is not null) as callbacks,
    (select count(*)::int from test_execution.execution
     where ended is null and (credentials is not null or snapshot -> 'environment' -> 'sealed' is not null)) as waiting`
