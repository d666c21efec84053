import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react'
import { useRights } from '../app/account.tsx'
import { useRowKeys } from './row-keys.ts'
import { attributeOf, nextSort } from './sort.ts'

export interface Column<Row> {
  title: string
  /** In the place of the title. */
  head?: ReactNode
  cell(row: Row): ReactNode
  /** Track of the grid; narrow pages hide columns without `narrow`. */
  width: string
  narrow?: string
  end?: boolean
  /** True if only screen readers get its title, as there is no room for it. */
  untitled?: boolean
  /** Without it there is nothing in the column, so it is left out. */
  permission?: string
  /** Attribute by which its title sorts the list, behind `-` where it first descends. */
  sortedBy?: string
}

export interface TableProps<Row extends { id: string }> {
  /** Name of the rows, for those who hear the table. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** True if it scrolls by itself and renders only the rows in sight. */
  scrolls?: boolean
  rowHeight?: number
  /** Order of the rows, and what changes it. */
  sort?: string | undefined
  onSort?(sort: string): void
  /** Called when the end comes near. */
  onEnd?(): void
}

const tracks = (widths: readonly (string | undefined)[]) => widths.filter(Boolean).join(' ')

/** A list of rows, each of which has a link that covers it. */
export function Table<Row extends { id: string }>(props: TableProps<Row>) {
  const { label, rows, scrolls = false } = props
  const isAllowed = useRights(props.columns.every(({ permission }) => !permission))
  const columns = props.columns.filter(({ permission }) => isAllowed(permission))
  const style = {
    '--columns': tracks(columns.map(({ width }) => width)),
    '--columns-narrow': tracks(columns.map(({ narrow }) => narrow)),
  } as CSSProperties // React has no type for own properties
  return (
    <div
      className={`table ${scrolls ? 'scrolls' : ''}`}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      style={style}
    >
      <div role="rowgroup">
        <div className="line titles" role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <Title key={column.title} {...column} sort={props.sort} onSort={props.onSort} />
          ))}
        </div>
      </div>
      {scrolls ? (
        <VirtualRows {...props} columns={columns} />
      ) : (
        <PlainRows {...props} columns={columns} />
      )}
    </div>
  )
}

type TitleProps = Omit<Column<never>, 'cell'> & Pick<TableProps<never>, 'sort' | 'onSort'>

function Title({ title, head, narrow, end, untitled, sortedBy, sort, onSort }: TitleProps) {
  const isSorted = sortedBy && sort && attributeOf(sort) === attributeOf(sortedBy)
  const direction = sort?.startsWith('-') ? 'descending' : 'ascending'
  return (
    <div
      role="columnheader"
      className={`cut ${narrow ? '' : 'wide'} ${end ? 'end' : ''}`}
      aria-sort={isSorted ? direction : undefined}
    >
      {sortedBy && onSort ? (
        <button type="button" className="sorts" onClick={() => onSort(nextSort(sortedBy, sort))}>
          {title}
        </button>
      ) : (
        (head ?? (untitled ? <span className="hidden">{title}</span> : title))
      )}
    </div>
  )
}

function PlainRows<Row extends { id: string }>({ columns, rows }: TableProps<Row>) {
  const body = useRef<HTMLDivElement>(null)
  useRowKeys(body)
  return (
    <div className="rows" role="rowgroup" ref={body}>
      {rows.map((row, index) => (
        <Line key={row.id} columns={columns} row={row} index={index} />
      ))}
    </div>
  )
}

function VirtualRows<Row extends { id: string }>({
  label,
  columns,
  rows,
  rowHeight = 44,
  onEnd,
}: TableProps<Row>) {
  const body = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => body.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= rows.length - 20) onEnd?.()
  }, [last, rows.length, onEnd])
  useRowKeys(body, (index) => virtual.scrollToIndex(index))
  return (
    <div
      className="rows"
      role="rowgroup"
      ref={body}
      tabIndex={0}
      data-scroll-restoration-id={label}
    >
      <div className="virtual" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index]
          return row === undefined ? null : (
            <Line
              key={key}
              columns={columns}
              row={row}
              index={index}
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
            />
          )
        })}
      </div>
    </div>
  )
}

interface LineProps<Row> {
  columns: readonly Column<Row>[]
  row: Row
  index: number
  style?: CSSProperties
}

const Line = <Row,>({ columns, row, index, style }: LineProps<Row>) => (
  <div className="line" role="row" aria-rowindex={index + 2} data-index={index} style={style}>
    {columns.map(({ title, narrow, end, cell }) => (
      <div key={title} role="cell" className={`${narrow ? '' : 'wide'} ${end ? 'end' : ''}`}>
        {cell(row)}
      </div>
    ))}
  </div>
)
