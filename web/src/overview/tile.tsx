import { Link } from '@tanstack/react-router'
import { count } from '../ui/format.ts'

interface TileProps {
  name: string
  /** Null until it is known. */
  value: number | string | null
  to: '/executions' | '/events'
  search?: Record<string, unknown>
  note: string
}

/** A figure that leads to what it counts. */
export const Tile = ({ name, value, to, search = {}, note }: TileProps) => (
  <div className="tile">
    <h2 className="soft">{name}</h2>
    <div className="value number">
      <Link to={to} search={search}>
        {value === null ? '–' : typeof value === 'number' ? count(value) : value}
      </Link>
    </div>
    <div className="under">{note}</div>
  </div>
)
