import { Link } from '@tanstack/react-router'
import type { TypedDocumentNode } from '@urql/core'
import { lazy, type ReactNode, Suspense } from 'react'
import { Fact, Page } from '../ui/parts.tsx'
import { Ago } from '../ui/time.tsx'
import { Loading } from '../ui/waiting.tsx'
import { DeleteButton } from './delete-button.tsx'
import { type ArtifactKind, crumbOf, useMayChange } from './reading.tsx'
import type { RevisionsProps } from './revisions.tsx'

const Revisions = lazy(() => import('./revisions.tsx'))

interface ArtifactPageProps extends Omit<RevisionsProps, 'mayWrite'> {
  remove: TypedDocumentNode<unknown, { id: string }>
  actions?: ReactNode
  facts: ReactNode
  children: ReactNode
}

/** The page of an artifact: what it is, and its earlier revisions. */
export function ArtifactPage({
  kind,
  artifact,
  attributes,
  remove,
  actions,
  facts,
  children,
}: ArtifactPageProps) {
  const mayWrite = useMayChange(kind)
  const { id, name, description } = artifact
  return (
    <Page
      title={name}
      crumbs={crumbOf(kind)}
      actions={
        <>
          {mayWrite && (
            <>
              <DeleteButton kind={kind} document={remove} artifact={artifact} />
              <Link className="button" to={kind.editor} params={{ id }}>
                Edit
              </Link>
            </>
          )}
          {actions}
        </>
      }
    >
      {description && (
        <p className="soft" dir="auto">
          {description}
        </p>
      )}
      <dl className="facts wide">{facts}</dl>
      {children}
      <AllRevisions {...{ kind, artifact, attributes, mayWrite }} />
    </Page>
  )
}

/** All revisions: a single one says who stored it, too. */
export const AllRevisions = (props: RevisionsProps) => (
  <Suspense fallback={<Loading />}>
    <Revisions {...props} />
  </Suspense>
)

/** The facts of every artifact. */
export const RevisionFacts = ({ revision, updated }: { revision: number; updated: string }) => (
  <>
    <Fact name="Revision">{revision}</Fact>
    <Fact name="Changed">
      <Ago at={updated} />
    </Fact>
  </>
)

interface ArtifactFactProps {
  name: string
  kind: ArtifactKind
  /** None, no fact. */
  of: { id: string; name: string } | null
}

/** A fact that leads to an artifact. */
export const ArtifactFact = ({ name, kind, of }: ArtifactFactProps) =>
  of && (
    <Fact name={name}>
      <Link to={kind.page} params={{ id: of.id }}>
        {of.name}
      </Link>
    </Fact>
  )
