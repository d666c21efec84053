import { CopyButton } from '../ui/copy-button.tsx'
import { Button, Dialog } from '../ui/parts.tsx'

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
      <CopyButton text={secret} />
      <Button look="primary" onClick={onClose}>
        I have kept it
      </Button>
    </div>
  </Dialog>
)
