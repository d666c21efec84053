import type { ReactNode } from 'react'
import { Loading, Problem } from '../ui/waiting.tsx'

interface TabReadProps<Data> {
  reading: { data?: Data; error: string | null; isLoading: boolean; reload(): void }
  children(data: Data | undefined): ReactNode
}

/** Content of a tab once it was read. */
export function TabRead<Data>({ reading, children }: TabReadProps<Data>) {
  const { data, error, isLoading, reload } = reading
  if (error) return <Problem message={error} retry={reload} />
  if (isLoading) return <Loading inCard />
  return children(data)
}
