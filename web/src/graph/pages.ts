import type { TypedDocumentNode } from '@urql/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { read } from './client.ts'
import { extended, NO_ROWS, type PageOf, type Patch, patched, type Rows } from './rows.ts'

export interface PageVariables {
  first: number
  after?: string | null
  count: boolean
}

interface State<Row> extends Rows<Row> {
  cursor: string | null
  isMore: boolean
  isLoading: boolean
  error: string | null
}

const EMPTY = { ...NO_ROWS, cursor: null, isMore: true, isLoading: true, error: null }
const PAGE = 100

/** Of what is not there any more. */
const NO_PAGE: PageOf<never> = { nodes: [], pageInfo: { endCursor: null, hasNextPage: false } }

/**
 * A list that grows by pages as its reader scrolls.
 * @param others the variables besides those of paging; the list starts anew when they change
 * @param skip reads nothing yet
 * @param size rows of a page
 */
export function usePages<Data, Variables extends PageVariables, Row>(
  document: TypedDocumentNode<Data, Variables>,
  others: Omit<Variables, keyof PageVariables>,
  pageOf: (data: Data) => PageOf<Row> | undefined,
  { skip = false, size = PAGE }: { skip?: boolean; size?: number } = {},
) {
  const [state, setState] = useState<State<Row>>(EMPTY)
  const key = JSON.stringify(others)
  const run = useRef(0)
  const pick = useRef(pageOf)
  /** Updates that arrived while a page is read. */
  const early = useRef<Patch<Row>[] | null>(null)

  const load = useCallback(
    async (after: string | null) => {
      const own = run.current
      early.current = []
      setState((before) => ({ ...before, isLoading: true, error: null }))
      try {
        // The parameters are those of the document: `others` lacks only what stands here.
        const variables = {
          ...JSON.parse(key),
          first: size,
          after,
          count: after === null,
        } as Variables
        const page = pick.current(await read(document, variables)) ?? NO_PAGE
        if (own !== run.current) return
        const updates = early.current ?? []
        early.current = null
        setState((before) => ({
          ...extended(after === null ? NO_ROWS : before, page, updates),
          cursor: page.pageInfo.endCursor,
          isMore: page.pageInfo.hasNextPage,
          isLoading: false,
          error: null,
        }))
      } catch (error) {
        if (own !== run.current) return
        early.current = null
        setState((before) => ({ ...before, isLoading: false, error: (error as Error).message }))
      }
    },
    [document, key, size],
  )

  const reload = useCallback(() => {
    run.current++
    void load(null)
  }, [load])

  useEffect(() => {
    setState(EMPTY)
    if (!skip) reload()
  }, [reload, skip])

  const { isLoading, isMore, cursor, error } = state
  const more = useCallback(() => {
    if (!isLoading && isMore && cursor !== null && !error) void load(cursor)
  }, [load, isLoading, isMore, cursor, error])

  const isEmpty = state.rows.length === 0
  // No row is left to scroll from once updates have removed all that were read.
  useEffect(() => {
    if (isEmpty) more()
  }, [isEmpty, more])

  /** Changes rows in place, as updates arrive. */
  const patch = useCallback((change: Patch<Row>) => {
    early.current?.push(change)
    setState((before) => ({ ...before, ...patched(before, change) }))
  }, [])

  return { ...state, more, reload, patch }
}
