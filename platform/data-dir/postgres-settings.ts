import { totalmem } from 'node:os'

/** Settings of each embedded server, on any machine. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  // Statements may carry secrets and events: they never reach the log.
  log_min_error_statement: 'panic',
  log_statement: 'none',
  max_logical_replication_workers: '0',
  // A page is logged whole after each checkpoint, so fewer of them. pglz, the only compression that the binaries have,
  // takes more processor time than it saves writing (docs/internals/performance.md).
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  wal_compression: 'off',
  // Compiling a statement takes longer than running any of ours. The binaries of today cannot; others might.
  jit: 'off',
}

const MEGABYTE = 1_048_576

/** The product runs on the same machine, so the database's own cache is a sixteenth of the memory, within these. */
const BUFFERS_SHARE = 1 / 16
const LEAST_BUFFERS_MB = 128
const MOST_BUFFERS_MB = 1_024
/** Share of memory that the planner takes for cached, by the system too. */
const CACHE_SHARE = 1 / 2

/** Settings of PostgreSQL, sized to a machine. */
export function settingsFor(memoryBytes: number): Record<string, string> {
  const memoryMb = memoryBytes / MEGABYTE
  const buffersMb = Math.min(Math.max(memoryMb * BUFFERS_SHARE, LEAST_BUFFERS_MB), MOST_BUFFERS_MB)
  return {
    ...SETTINGS,
    shared_buffers: `${Math.floor(buffersMb)}MB`,
    effective_cache_size: `${Math.floor(Math.max(memoryMb * CACHE_SHARE, buffersMb))}MB`,
  }
}

/** Memory that this process may use: the machine's, or less in a container. */
export const usableMemory = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
