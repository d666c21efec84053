import { Link } from '@tanstack/react-router'
import { count } from '../ui/format.ts'

interface TileProps {
  name: string
  /** Null until it is known. */
  value: number | string | null
  to?: '/executions' | '/events'
  search?: Record<string, unknown>
  note: string
}

/** A figure, which may lead to what it counts. */
export function Tile({ name, value, to, search = {}, note }: TileProps) {
  const shown = typeof value === 'number' ? count(value) : (value ?? '–')
  return (
    <div className="tile">
      <h2 className="soft">{name}</h2>
      <div className="value number">
        {to ? (
          <Link to={to} search={search}>
            {shown}
          </Link>
        ) : (
          shown
        )}
      </div>
      <div className="under">{note}</div>
    </div>
  )
}
