import { type FormEvent, useState } from 'react'
import { signIn } from '../graph/session.ts'
import { SETTINGS } from '../graph/settings.ts'
import { Button, Page, Problem } from '../ui/parts.tsx'

/** Stands for the page until its reader has signed in. */
export function SignIn() {
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    try {
      await signIn(String(form.get('user')), String(form.get('password')))
    } catch (failure) {
      setError((failure as Error).message)
      setBusy(false)
    }
  }
  if (SETTINGS.authMode !== 'users')
    return (
      <Page title="Sign in">
        <p>
          Sign-ins are kept by{' '}
          {SETTINGS.authMode === 'proxy'
            ? 'the server in front of Assay'
            : 'an OpenID Connect issuer'}
          . Sign in there and load this page again.
        </p>
      </Page>
    )
  return (
    <Page title="Sign in">
      <form className="stack sign-in" onSubmit={submit}>
        {error && <Problem message={error} />}
        <label className="field">
          E-mail
          <input name="user" autoComplete="username" required />
        </label>
        <label className="field">
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <Button type="submit" look="primary" disabled={isBusy}>
          Sign in
        </Button>
        <p className="faint">
          The sign-in lasts for an hour, or until this page is closed or loaded again.
        </p>
      </form>
    </Page>
  )
}
