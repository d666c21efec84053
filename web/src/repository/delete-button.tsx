import type { TypedDocumentNode } from '@urql/core'
import { change } from '../graph/client.ts'
import { Button } from '../ui/parts.tsx'
import { attempt } from '../ui/toasts.tsx'

interface DeleteButtonProps {
  document: TypedDocumentNode<unknown, { id: string }>
  artifact: { id: string; name: string }
  onDeleted(): void
}

/** Deletes an artifact after a question; the server refuses it while another one uses it. */
export const DeleteButton = ({ document, artifact, onDeleted }: DeleteButtonProps) => (
  <Button
    look="plain"
    onClick={() =>
      attempt(async () => {
        if (!confirm(`Delete ${artifact.name}?`)) return undefined
        await change(document, { id: artifact.id })
        onDeleted()
        return `${artifact.name} was deleted`
      })
    }
  >
    Delete
  </Button>
)
