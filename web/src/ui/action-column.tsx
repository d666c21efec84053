import type { ReactNode } from 'react'
import type { Column } from './table.tsx'

/** The column with what can be done with a row; it lies above the link that covers the row. */
export const actionColumn = <Row,>(
  { width, narrow, permission }: Pick<Column<Row>, 'width' | 'narrow' | 'permission'>,
  cell: (row: Row) => ReactNode,
): Column<Row> => ({
  title: 'Action',
  width,
  narrow,
  permission,
  end: true,
  cell: (row) => <span className="above">{cell(row)}</span>,
})
