import { Button, Dialog } from '../ui/parts.tsx'
import { attempt } from '../ui/toasts.tsx'

/** A secret that is shown this one time. */
export const Once = ({
  title,
  secret,
  onClose,
}: {
  title: string
  secret: string
  onClose(): void
}) => (
  <Dialog title={title} onClose={onClose}>
    <p className="soft">It is shown only here. Keep it in a safe place now.</p>
    <output className="code">{secret}</output>
    <div className="ends">
      <Button
        onClick={() =>
          attempt(async () => {
            await navigator.clipboard.writeText(secret)
            return 'Copied'
          })
        }
      >
        Copy
      </Button>
      <Button look="primary" onClick={onClose}>
        I have kept it
      </Button>
    </div>
  </Dialog>
)
