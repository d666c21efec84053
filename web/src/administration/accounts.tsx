import { useState } from 'react'
import { change } from '../graph/client.ts'
import {
  type AccountRole,
  AccountsDocument,
  type AccountsQuery,
  CreateAccountDocument,
  DeleteAccountDocument,
  UpdateAccountDocument,
} from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import { actionColumn } from '../ui/action-column.tsx'
import { FormButton, Select } from '../ui/inputs.tsx'
import { List } from '../ui/list.tsx'
import { Button } from '../ui/parts.tsx'
import { isSure } from '../ui/question.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { attempt } from '../ui/toasts.tsx'
import { Once } from './once.tsx'

type Row = AccountsQuery['accounts']['nodes'][number]

const ROLES: readonly { name: AccountRole; title: string }[] = [
  { name: 'READER', title: 'reader' },
  { name: 'RUNNER', title: 'runner' },
  { name: 'EDITOR', title: 'editor' },
  { name: 'ADMIN', title: 'admin' },
]

/** Accounts that may sign in, with their permissions. */
export function Accounts() {
  const list = usePages(AccountsDocument, {}, ({ accounts }) => accounts)
  const { reload } = list
  const [made, setMade] = useState<{ email: string; password: string } | null>(null)
  const create = async (form: FormData) => {
    const role = form.get('role') as AccountRole // one of the options
    const input = { email: String(form.get('email')), role }
    const { createAccount } = await change(CreateAccountDocument, { input })
    setMade({ email: createAccount.account.email, password: createAccount.password ?? '' })
    reload()
  }
  const update = (id: string, input: { role?: AccountRole; active?: boolean }) =>
    attempt(async () => {
      await change(UpdateAccountDocument, { input: { id, ...input } })
      reload()
      return 'The account was changed; its sessions have ended'
    })
  const renew = ({ id, email }: Row) =>
    attempt(async () => {
      const question = `Give ${email} a new password? It ends the sessions of the account.`
      if (!(await isSure(question, 'Give a new password'))) return
      const password = newPassword()
      await change(UpdateAccountDocument, { input: { id, password } })
      setMade({ email, password })
    })
  const remove = ({ id, email }: Row) =>
    attempt(async () => {
      const question = `Delete ${email}, with its API tokens and sessions?`
      if (!(await isSure(question, 'Delete'))) return undefined
      await change(DeleteAccountDocument, { id })
      reload()
      return `${email} was deleted`
    })
  return (
    <div className="stack">
      <div className="row">
        <FormButton label="New account" look="primary" action="Create" submit={create}>
          <label className="field">
            E-mail
            <input name="email" type="email" required />
          </label>
          <label className="field">
            Role
            <select name="role">
              {ROLES.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        </FormButton>
      </div>
      <List label="Accounts" columns={columnsOf({ update, renew, remove })} list={list} />
      {made && (
        <Once
          title={`Password of ${made.email}`}
          secret={made.password}
          onClose={() => setMade(null)}
        />
      )}
    </div>
  )
}

/** As long as those that the server makes. */
const newPassword = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')

interface Actions {
  update(id: string, input: { role?: AccountRole; active?: boolean }): void
  renew(row: Row): void
  remove(row: Row): void
}

const columnsOf = ({ update, renew, remove }: Actions): readonly Column<Row>[] => [
  {
    title: 'E-mail',
    width: 'minmax(10rem, 2fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ email }) => <span className="anywhere">{email}</span>,
  },
  {
    title: 'Role',
    width: '8rem',
    narrow: '7rem',
    cell: ({ id, email, role }) => (
      <Select
        label={`Role of ${email}`}
        value={role}
        options={ROLES}
        onChange={(next) => update(id, { role: next })}
      />
    ),
  },
  {
    title: 'Active',
    width: '5rem',
    cell: ({ id, email, active }) => (
      <input
        type="checkbox"
        aria-label={`${email} may sign in`}
        checked={active}
        onChange={({ target }) => update(id, { active: target.checked })}
      />
    ),
  },
  {
    title: 'Tokens',
    width: '4rem',
    end: true,
    cell: ({ apiTokens }) => <span className="number">{apiTokens.length}</span>,
  },
  { title: 'Created', width: '7rem', end: true, cell: ({ created }) => <Ago at={created} /> },
  actionColumn({ width: '13rem', narrow: '7rem' }, (row) => (
    <span className="row tight">
      <Button small onClick={() => renew(row)}>
        New password
      </Button>
      <Button small look="plain" onClick={() => remove(row)}>
        Delete
      </Button>
    </span>
  )),
]
