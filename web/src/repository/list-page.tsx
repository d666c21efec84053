import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { count } from '../ui/format.ts'
import { Button, Empty, Page } from '../ui/parts.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { LoadingRows, Problem } from '../ui/waiting.tsx'

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

interface ListPageProps<Row> {
  title: string
  to:
    | '/repository/scenarios'
    | '/repository/suites'
    | '/repository/components'
    | '/repository/environments'
  search: NameSearch
  columns: readonly Column<Row>[]
  list: {
    rows: readonly Row[]
    total: number | null
    isLoading: boolean
    error: string | null
    more(): void
    reload(): void
  }
  actions?: ReactNode
  /** What a reader may do where there is none. */
  hint: string
}

/** A list of artifacts of one kind. */
export function ListPage<Row extends { id: string }>({
  title,
  to,
  search,
  columns,
  list,
  actions,
  hint,
}: ListPageProps<Row>) {
  const navigate = useNavigate()
  const { rows, total, isLoading, error, more, reload } = list
  const set = (next: NameSearch) =>
    void navigate({ to, search: nameSearch({ ...next }), replace: true })
  return (
    <Page
      title={title}
      full
      actions={actions}
      beside={total !== null && <span className="faint number">{count(total)}</span>}
    >
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault()
          set({ ...search, name: String(new FormData(event.currentTarget).get('name')) })
        }}
      >
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
      </form>
      {error && <Problem message={error} retry={reload} />}
      {rows.length > 0 ? (
        <Table
          label={title}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          scrolls
          rowHeight={52}
          onEnd={more}
        />
      ) : isLoading ? (
        <LoadingRows />
      ) : (
        !error && (
          <Empty
            icon="box"
            title={search.name || search.tag ? 'Nothing matches' : 'There is none yet'}
          >
            <p>{hint}</p>
          </Empty>
        )
      )}
    </Page>
  )
}
