import { useState } from 'react'
import { change } from '../graph/client.ts'
import {
  CreateApiTokenDocument,
  OwnTokensDocument,
  type OwnTokensQuery,
  RevokeApiTokenDocument,
} from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { actionColumn } from '../ui/action-column.tsx'
import { FormButton } from '../ui/inputs.tsx'
import { List } from '../ui/list.tsx'
import { Button, Empty } from '../ui/parts.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { attempt } from '../ui/toasts.tsx'
import { Once } from './once.tsx'

const SCOPES = [
  'artifacts:read',
  'artifacts:write',
  'executions:read',
  'executions:run',
  'events:read',
  'events:write',
]
type Row = NonNullable<OwnTokensQuery['viewer']['account']>['apiTokens'][number]

/** The reader's own tokens, for programs. */
export function Tokens() {
  const { data, error, isLoading, reload } = useRead(OwnTokensDocument, {})
  const [secret, setSecret] = useState<string | null>(null)
  const create = async (form: FormData) => {
    const input = { name: String(form.get('name')), scopes: form.getAll('scope').map(String) }
    const { createApiToken } = await change(CreateApiTokenDocument, { input })
    setSecret(createApiToken.secret)
    reload()
  }
  const revoke = (id: string) =>
    attempt(async () => {
      await change(RevokeApiTokenDocument, { id })
      reload()
      return 'The token was revoked'
    })
  return (
    <div className="stack">
      <div className="row">
        <FormButton label="New token" look="primary" action="Create" submit={create}>
          <label className="field">
            What it is for
            <input name="name" required />
          </label>
          <fieldset className="stack tight">
            <legend>What it may do</legend>
            {SCOPES.map((scope) => (
              <label key={scope} className="row tight">
                <input type="checkbox" name="scope" value={scope} />
                {scope}
              </label>
            ))}
          </fieldset>
        </FormButton>
      </div>
      <List
        label="API tokens"
        columns={columnsOf(revoke)}
        list={{ rows: data?.viewer.account?.apiTokens ?? [], error, isLoading, reload }}
        nothing={<Empty icon="shield" title="You have no API token" />}
      />
      {secret && <Once title="The new token" secret={secret} onClose={() => setSecret(null)} />}
    </div>
  )
}

const columnsOf = (revoke: (id: string) => void): readonly Column<Row>[] => [
  {
    title: 'Name',
    width: 'minmax(8rem, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ name }) => <span className="cut">{name}</span>,
  },
  {
    title: 'Scopes',
    width: 'minmax(10rem, 2fr)',
    cell: ({ scopes }) => <span className="cut soft">{scopes.join(', ')}</span>,
  },
  {
    title: 'Last used',
    width: '7rem',
    cell: ({ lastUsed }) =>
      lastUsed ? <Ago at={lastUsed} /> : <span className="faint">never</span>,
  },
  {
    title: 'Ends',
    width: '9rem',
    narrow: '6rem',
    cell: ({ expires }) => (expires ? new Date(expires).toLocaleDateString() : 'never'),
  },
  actionColumn({ width: '6rem', narrow: '5rem' }, ({ id }) => (
    <Button small look="danger" onClick={() => revoke(id)}>
      Revoke
    </Button>
  )),
]
