import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { TypedDocumentNode } from '@urql/core'
import type { ReactNode } from 'react'
import { Missing } from '../../app/account.tsx'
import { change, read } from '../../graph/client.ts'
import type { RevisionFragment } from '../../graph/generated.ts'
import { useFresh } from '../../graph/use-fresh.ts'
import { Page } from '../../ui/parts.tsx'
import { type ArtifactKind, crumbOf, Reading, titleOf, useMayChange } from '../reading.tsx'
import { type Editing, useDraft } from './use-draft.ts'

interface Artifact {
  id: string
  revision: number
  revisions: readonly RevisionFragment[]
}

type Storing<Input> = TypedDocumentNode<
  { stored: { id: string; revision: number } },
  { input: Input }
>

interface EditPageProps<Found extends Artifact, Draft extends object, Input extends object> {
  kind: ArtifactKind
  document: TypedDocumentNode<{ artifact: Found | null }, { id: string }>
  create: Storing<Input>
  update: Storing<Input & { id: string; revision: number[] | null }>
  /** The draft of a new one. */
  fresh: Draft
  draftOf(artifact: Found): Draft
  draftOfEarlier(artifact: Found, earlier: RevisionFragment): Draft
  /** Input for a draft. @throws Error that begins with the attribute, for a fault in it */
  inputOf(draft: Draft): Input
  /** Faults that the server finds without storing anything. */
  check(draft: Draft, id: string | undefined): Promise<readonly string[]>
  /** True if the page of the artifact follows when it was saved; that of a new one always does. */
  isLeft?: boolean
  Form(props: FormProps<Found, Draft>): ReactNode
}

export interface FormProps<Found, Draft> {
  /** Null for a new one. */
  artifact: Found | null
  editing: Editing<Draft>
}

/** The form of what is stored, or of an earlier revision that the address names; without an id, of a new one. */
export function EditPage<Found extends Artifact, Draft extends object, Input extends object>(
  props: EditPageProps<Found, Draft, Input>,
) {
  const { id } = useParams({ strict: false })
  const { kind } = props
  const mayWrite = useMayChange(kind)
  // The page of a component is its editor, also for readers.
  const isPage = id !== undefined && kind.page === kind.editor
  if (!mayWrite && !isPage)
    return (
      <Page title={titleOf(kind)} crumbs={crumbOf(kind)}>
        <Missing
          permission={'permission' in kind ? kind.permission : 'artifacts:write'}
          title={`You may not change ${kind.noun}s`}
        />
      </Page>
    )
  return id === undefined ? (
    <EditForm {...props} of="new" artifact={null} start={props.fresh} reload={() => {}} />
  ) : (
    <EditStored {...props} id={id} />
  )
}

function EditStored<Found extends Artifact, Draft extends object, Input extends object>({
  id,
  ...props
}: EditPageProps<Found, Draft, Input> & { id: string }) {
  const { kind, document, draftOf, draftOfEarlier } = props
  const { revision } = useSearch({ strict: false })
  const of = `${id} ${revision ?? 'stored'}`
  const reading = useFresh(document, { id })
  return (
    <Reading kind={kind} reading={reading} found={reading.data?.artifact}>
      {(artifact) => {
        const earlier = artifact.revisions.find((each) => each.revision === revision)
        const start = earlier ? draftOfEarlier(artifact, earlier) : draftOf(artifact)
        return (
          <EditForm
            key={of}
            {...props}
            of={of}
            artifact={artifact}
            start={start}
            reload={reading.reload}
          />
        )
      }}
    </Reading>
  )
}

function EditForm<Found extends Artifact, Draft extends object, Input extends object>({
  kind,
  document,
  create,
  update,
  draftOf,
  inputOf,
  check,
  isLeft = false,
  Form,
  of,
  artifact,
  start,
  reload,
}: EditPageProps<Found, Draft, Input> & {
  of: string
  artifact: Found | null
  start: Draft
  reload(): void
}) {
  const navigate = useNavigate()
  const storedOf = (found: Found) => ({ draft: draftOf(found), revision: found.revision })
  const editing = useDraft({
    noun: kind.noun,
    of,
    stored: artifact && storedOf(artifact),
    start,
    check: (draft) => check(draft, artifact?.id),
    async store(draft, revision) {
      const input = inputOf(draft)
      const { stored } = artifact
        ? await change(update, { input: { ...input, id: artifact.id, revision } })
        : await change(create, { input })
      if (artifact && !isLeft) reload()
      else await navigate({ to: kind.page, params: { id: stored.id } })
      return stored.revision
    },
    async latest() {
      const found = artifact && (await read(document, { id: artifact.id })).artifact
      return found && storedOf(found)
    },
  })
  return <Form artifact={artifact} editing={editing} />
}
