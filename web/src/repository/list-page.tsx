import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { TypedDocumentNode } from '@urql/core'
import type { ReactNode } from 'react'
import { literal } from '../graph/literal.ts'
import { type PageVariables, usePages } from '../graph/pages.ts'
import type { PageOf } from '../graph/rows.ts'
import { Form } from '../ui/inputs.tsx'
import { List, Total } from '../ui/list.tsx'
import { Button, Empty, Page } from '../ui/parts.tsx'
import { knownSort, type Sorted, sortInput, sortSearch } from '../ui/sort.ts'
import type { Column } from '../ui/table.tsx'
import { ComponentSelect } from './choices.tsx'
import { type ArtifactKind, KINDS, useMayChange } from './reading.tsx'

export interface NameSearch extends Sorted {
  name?: string
  /** A tag that scenarios have. */
  tag?: string
  /** Id of the component that scenarios test. */
  component?: string
}

export const nameSearch = ({
  name,
  tag,
  component,
  ...given
}: Record<string, unknown>): NameSearch => ({
  ...(typeof name === 'string' && name !== '' && { name }),
  ...(typeof tag === 'string' && tag !== '' && { tag }),
  ...(typeof component === 'string' && component !== '' && { component }),
  ...sortSearch(given),
})

/** The variables of every list of artifacts: by name, those whose name has a text in it, and those of a tag. */
export const byName = ({ name, tag, component }: NameSearch, sort = 'name') => ({
  filter:
    name || tag || component
      ? {
          ...(name && { name: `*${literal(name)}*` }),
          ...(tag && { tags: literal(tag) }),
          ...(component && { componentUnderTest: literal(component) }),
        }
      : null,
  sort: sortInput(sort),
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
  const sort = knownSort(search, columns) ?? 'name'
  const list = usePages(document, byName(search, sort), ({ page }) => page, { isKept: true })
  const navigate = useNavigate()
  const isFiltered = Boolean(search.name || search.tag || search.component)
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
      <Form className="row" onSubmit={(form) => set({ ...search, ...Object.fromEntries(form) })}>
        <input
          key={search.name}
          className="input named"
          name="name"
          data-search
          aria-label="Name"
          placeholder="Part of the name"
          defaultValue={search.name}
        />
        {kind === KINDS.scenario && (
          <>
            <input
              key={`tag ${search.tag}`}
              className="input short"
              name="tag"
              aria-label="Tag"
              placeholder="Tag"
              defaultValue={search.tag}
            />
            <ComponentSelect
              value={search.component ?? ''}
              onChange={(component) => set({ ...search, component })}
            />
          </>
        )}
        <Button type="submit" icon="search">
          Search
        </Button>
        {isFiltered && (
          <Button look="plain" icon="cross" onClick={() => set(sortSearch({ ...search }))}>
            Clear
          </Button>
        )}
      </Form>
      <List
        label={title}
        columns={columns}
        list={list}
        sort={sort}
        onSort={(next) => set({ ...search, sort: next })}
        scrolls
        rowHeight={52}
        nothing={
          <Empty icon="box" title={isFiltered ? 'Nothing matches' : 'There is none yet'}>
            <p>{hint}</p>
          </Empty>
        }
      />
    </Page>
  )
}
