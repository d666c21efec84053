import { useEffect, useState } from 'react'
import {
  goOnIfSignedIn,
  lastUser,
  type SignInWay,
  signIn,
  signInAt,
  signInWay,
} from '../graph/session.ts'
import { SETTINGS } from '../graph/settings.ts'
import { Form } from '../ui/inputs.tsx'
import { Button, Page } from '../ui/parts.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'

/** Stands for the page until its reader has signed in. */
export function SignIn() {
  const before = lastUser.use()?.user
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (form: FormData) => {
    setBusy(true)
    try {
      await signIn(String(form.get('user')), String(form.get('password')))
    } catch (failure) {
      setError((failure as Error).message)
      setBusy(false)
    }
  }
  const [way, setWay] = useState<SignInWay | undefined>(undefined)
  useEffect(() => {
    signInWay().then(setWay, ({ message }: Error) => setError(message))
  }, [])
  const [other, setOther] = useState<string | null>(null)
  useEffect(() => {
    const look = () => void goOnIfSignedIn().then(setOther, () => {}) // the next one may find the server
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [])
  return (
    <Page title={before ? 'Your session has ended' : 'Sign in'}>
      {other && (
        <div className="row">
          <p>
            You are signed in as {other === before ? `another ${other}` : other} by now. Going on
            loses what {before} edited.
          </p>
          <Button onClick={() => location.reload()}>Go on as {other}</Button>
        </div>
      )}
      {way === undefined ? (
        error ? (
          <Problem message={error} />
        ) : (
          <Loading lines={3} />
        )
      ) : way === null ? (
        <p>
          Sign-ins are kept by{' '}
          {SETTINGS.authMode === 'proxy'
            ? 'the server in front of Assay'
            : 'an OpenID Connect issuer'}
          . Sign in there and load this page again.
        </p>
      ) : way.by === 'redirect' ? (
        <>
          <p className="soft">
            Your organisation keeps the sign-ins.
            {before &&
              ` Sign in as ${before} in a new tab and come back here: what you edited is kept.`}
          </p>
          <div className="row">
            <a
              className="button primary"
              href={signInAt(way.at)}
              target={before ? '_blank' : undefined}
            >
              {before ? 'Sign in in a new tab' : 'Sign in'}
            </a>
          </div>
        </>
      ) : (
        <Form className="stack sign-in" onSubmit={submit}>
          {error && <Problem message={error} />}
          {before && <p className="soft">Sign in as {before} to go on: what you edited is kept.</p>}
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
        </Form>
      )}
    </Page>
  )
}
