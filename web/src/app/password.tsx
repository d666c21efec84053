import { change } from '../graph/client.ts'
import { ChangePasswordDocument } from '../graph/generated.ts'
import { FormButton } from '../ui/inputs.tsx'

async function changePassword(form: FormData): Promise<void> {
  const input = { current: String(form.get('current')), password: String(form.get('password')) }
  await change(ChangePasswordDocument, { input })
  location.reload()
}

/** Changes the own password. That ends the own sessions, so the page then asks for the new one. */
export const Password = () => (
  <FormButton
    label="Password"
    look="plain"
    small
    title="Change the password"
    action="Change"
    submit={changePassword}
  >
    <p className="soft">It ends your sessions: sign in with the new one.</p>
    <label className="field">
      The password so far
      <input name="current" type="password" autoComplete="current-password" required />
    </label>
    <label className="field">
      The new one, with at least 12 characters
      <input
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={12}
        maxLength={256}
        required
      />
    </label>
  </FormButton>
)
