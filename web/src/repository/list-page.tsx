import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { TypedDocumentNode } from '@urql/core'
import type { ReactNode } from 'react'
import { type PageVariables, usePages } from '../graph/pages.ts'
import type { PageOf } from '../graph/rows.ts'
import { Form } from '../ui/inputs.tsx'
import { List, Total } from '../ui/list.tsx'
import { Button, Empty, Page } from '../ui/parts.tsx'
import type { Column } from '../ui/table.tsx'
import { type ArtifactKind, useMayChange } from './reading.tsx'

export interface NameSearch {
  name?: string
  /** A tag that scenarios have. */
  tag?: string
}

export const nameSearch = ({ name, tag }: Record<string, unknown>): NameSearch => ({
  ...(typeof name === 'string' && name !== '' && { name }),
  ...(typeof tag === 'string' && tag !== '' && { tag }),
})

const literal = (text: string) => text.replaceAll('*', '\\*')

/** The variables of every list of artifacts: by name, those whose name has a text in it, and those of a tag. */
export const byName = ({ name, tag }: NameSearch) => ({
  filter:
    name || tag
      ? { ...(name && { name: `*${literal(name)}*` }), ...(tag && { tags: literal(tag) }) }
      : null,
  sort: [{ attribute: 'name' }],
})

interface ListPageProps<Row extends { id: string }> {
  kind: ArtifactKind
  document: TypedDocumentNode<{ page: PageOf<Row> }, PageVariables & ReturnType<typeof byName>>
  columns: readonly Column<Row>[]
  /** Hint for a reader where there is none. */
  hint: string
  /** Above the list. */
  notice?: ReactNode
}

/** A list of artifacts of one kind. */
export function ListPage<Row extends { id: string }>({
  kind,
  document,
  columns,
  hint,
  notice,
}: ListPageProps<Row>) {
  const { to, title } = kind.list
  const mayWrite = useMayChange(kind)
  const search: NameSearch = useSearch({ strict: false })
  const list = usePages(document, byName(search), ({ page }) => page, { isKept: true })
  const navigate = useNavigate()
  const set = (next: NameSearch) => void navigate({ to, search: nameSearch({ ...next }) })
  return (
    <Page
      title={title}
      full
      actions={
        mayWrite && (
          <Link className="button primary" to={kind.creator}>
            New {kind.noun}
          </Link>
        )
      }
      beside={<Total of={list.total} />}
    >
      {notice}
      <Form className="row" onSubmit={(form) => set({ ...search, name: String(form.get('name')) })}>
        <input
          key={search.name}
          className="input named"
          name="name"
          data-search
          aria-label="Name"
          placeholder="Part of the name"
          defaultValue={search.name}
        />
        <Button type="submit" icon="search">
          Search
        </Button>
        {search.tag && <span className="tag">with the tag {search.tag}</span>}
        {(search.name || search.tag) && (
          <Button look="plain" icon="cross" onClick={() => set({})}>
            Clear
          </Button>
        )}
      </Form>
      <List
        label={title}
        columns={columns}
        list={list}
        scrolls
        rowHeight={52}
        nothing={
          <Empty
            icon="box"
            title={search.name || search.tag ? 'Nothing matches' : 'There is none yet'}
          >
            <p>{hint}</p>
          </Empty>
        }
      />
    </Page>
  )
}
