import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { SavedViewsDocument, type SavedViewsQuery } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'

export type SavedView = SavedViewsQuery['savedViews']['nodes'][number]

/** The own views and the shared ones, by name. */
export function useViews() {
  const { data, ...rest } = useRead(SavedViewsDocument, {})
  const views = [...(data?.savedViews.nodes ?? [])].sort((a, b) => a.name.localeCompare(b.name))
  return { views, ...rest }
}

/** The route of an address. */
export function useRouteOf(): (address: string) => { to: string; search: object } {
  const { parseSearch } = useRouter().options
  return (address) => {
    const { pathname, search } = new URL(address, location.origin)
    return { to: pathname, search: parseSearch?.(search) ?? {} }
  }
}

/** True until the first view was looked for: only somebody who types the bare address gets it. */
let isArrival =
  location.pathname === '/' &&
  location.search === '' &&
  performance
    .getEntriesByType('navigation')
    .some((entry) => 'type' in entry && entry.type === 'navigate')

/** Goes to the start page of the reader, who has just opened the client without a page. */
export function useStartPage(views: readonly SavedView[], isLoading: boolean): void {
  const navigate = useNavigate()
  const routeOf = useRouteOf()
  const path = useRouterState({ select: ({ location }) => location.href })
  const start = views.find(({ isStartPage }) => isStartPage)?.address
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (isLoading || !isArrival) return
    isArrival = false
    if (start && path === '/') void navigate({ ...routeOf(start), replace: true })
  }, [isLoading, start])
}
