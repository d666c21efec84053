import type { ReactNode } from 'react'
import { total } from './format.ts'
import { Table, type TableProps } from './table.tsx'
import { LoadingRows, Problem } from './waiting.tsx'

interface ListProps<Row extends { id: string }> extends Omit<TableProps<Row>, 'rows' | 'onEnd'> {
  list: {
    rows: readonly Row[]
    isLoading: boolean
    error: string | null
    more?(): void
    reload(): void
  }
  /** In the place of rows where there is none. */
  nothing?: ReactNode
}

/** A table while it is read, where reading fails, and where nothing is found. */
export const List = <Row extends { id: string }>({ list, nothing, ...table }: ListProps<Row>) => (
  <>
    {list.error && <Problem message={list.error} retry={list.reload} />}
    {list.rows.length > 0 ? (
      <Table {...table} rows={list.rows} onEnd={list.more} />
    ) : list.isLoading ? (
      <LoadingRows />
    ) : (
      !list.error && nothing
    )}
  </>
)

/** Total number of rows, beside the title of a list. */
export const Total = ({
  of,
  isEstimated,
}: {
  of: number | null
  isEstimated?: boolean | undefined
}) => of !== null && <span className="faint number">{total(of, isEstimated)}</span>
