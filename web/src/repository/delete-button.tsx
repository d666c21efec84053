import { useNavigate } from '@tanstack/react-router'
import type { TypedDocumentNode } from '@urql/core'
import { change } from '../graph/client.ts'
import { Button } from '../ui/parts.tsx'
import { isSure } from '../ui/question.tsx'
import { attempt } from '../ui/toasts.tsx'
import type { ArtifactKind } from './reading.tsx'

interface DeleteButtonProps {
  kind: ArtifactKind
  document: TypedDocumentNode<unknown, { id: string }>
  artifact: { id: string; name: string }
}

/** Deletes an artifact after a question; the server refuses it while another one uses it. */
export function DeleteButton({ kind, document, artifact: { id, name } }: DeleteButtonProps) {
  const navigate = useNavigate()
  const remove = () =>
    attempt(async () => {
      if (!(await isSure(`Delete ${name}?`, 'Delete'))) return undefined
      await change(document, { id })
      void navigate({ to: kind.list.to })
      return `${name} was deleted`
    })
  return (
    <Button look="plain" onClick={remove}>
      Delete
    </Button>
  )
}
