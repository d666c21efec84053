import { change } from '../graph/client.ts'
import { SignOutEverywhereDocument } from '../graph/generated.ts'
import { requireSignIn } from '../graph/session.ts'
import { Button } from '../ui/parts.tsx'
import { attempt } from '../ui/toasts.tsx'

/** Ends the reader's sessions, this one too. */
export const Sessions = () => (
  <div className="stack">
    <p className="soft">
      Signing out everywhere ends every session of your account, and the streams of each. API tokens
      continue.
    </p>
    <div className="row">
      <Button
        look="danger"
        onClick={() =>
          attempt(async () => {
            await change(SignOutEverywhereDocument, {})
            requireSignIn()
            return 'All sessions have ended'
          })
        }
      >
        Sign out everywhere
      </Button>
    </div>
  </div>
)
