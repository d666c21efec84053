import { Button } from './parts.tsx'
import { attempt } from './toasts.tsx'

interface CopyButtonProps {
  /** Text to paste elsewhere. */
  text: string
  /** Name for readers who do not see what it stands beside. */
  label?: string
  small?: boolean
}

export const CopyButton = ({ text, label, small }: CopyButtonProps) => (
  <Button small={small} aria-label={label} onClick={() => attempt(() => copy(text))}>
    Copy
  </Button>
)

async function copy(text: string): Promise<string> {
  if (!window.isSecureContext)
    throw new Error(
      'Browsers copy for pages with HTTPS, or of this machine, alone: select the text',
    )
  await navigator.clipboard.writeText(text)
  return 'Copied'
}
