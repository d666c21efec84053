import type { TypedDocumentNode } from '@urql/core'
import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef, useState } from 'react'
import { read } from './client.ts'
import { useKept } from './kept.ts'
import { extended, NO_ROWS, type PageOf, type Patch, patched, type Rows } from './rows.ts'

export interface PageVariables {
  first: number
  after?: string | null
  /** For lists that have no cursors, as they are sorted. */
  offset?: number | null
  count: boolean
}

/** The place behind a page: a cursor, or a number of rows where the list has none. */
type Place = string | number

interface State<Row> extends Rows<Row> {
  cursor: Place | null
  isMore: boolean
  isLoading: boolean
  error: string | null
}

const EMPTY = { ...NO_ROWS, cursor: null, isMore: true, isLoading: true, error: null }
const PAGE = 100
/** The server gives no more rows at once. */
const MOST = 1_000

interface PagesOptions {
  skip?: boolean
  size?: number
  isKept?: boolean
}

/** Page of a list that is gone. */
const NO_PAGE: PageOf<never> = { nodes: [], pageInfo: { endCursor: null, hasNextPage: false } }

/** A list that is about to be read, with the rows that it had when its reader left it. */
const begun = <Row>(left: State<Row> = EMPTY): State<Row> => ({
  ...left,
  isLoading: true,
  error: null,
})

/**
 * A list that grows by pages as its reader scrolls.
 * @param others the variables besides those of paging; the list starts anew when they change
 * @param skip reads nothing yet
 * @param size rows of a page
 * @param isKept shows it as its reader left it to one who comes back, while it is read anew: for lists of which the
 *   address says everything
 */
export function usePages<Data, Variables extends PageVariables, Row>(
  document: TypedDocumentNode<Data, Variables>,
  others: Omit<Variables, keyof PageVariables>,
  pageOf: (data: Data) => PageOf<Row> | undefined,
  { skip = false, size = PAGE, isKept = false }: PagesOptions = {},
) {
  const [state, setState, find] = useKept<State<Row>>(isKept ? document : null, begun)
  const key = JSON.stringify(others)
  const [shown, setShown] = useState(key)
  // Before the page is drawn: the router scrolls to the place that the reader comes back to once it is.
  if (shown !== key) {
    setShown(key)
    setState(begun(find()))
  }
  const { load, start, forget, patch } = useReading(document, key, pageOf, { size, setState })

  useEffect(() => {
    if (skip) forget()
    else start(find()?.rows.length ?? 0)
  }, [start, forget, skip, find])

  const held = state.rows.length
  /** Reads as many rows as there are, so that the reader keeps the place, but asks once: updates may have made it long. */
  const reload = useCallback(() => start(Math.min(MOST, held)), [start, held])

  const { isLoading, isMore, cursor, error } = state
  const more = useCallback(() => {
    if (!isLoading && isMore && cursor !== null && !error) void load(cursor)
  }, [load, isLoading, isMore, cursor, error])

  const isEmpty = held === 0
  // No row is left to scroll from once updates have removed all that were read.
  useEffect(() => {
    if (isEmpty) more()
  }, [isEmpty, more])

  return { ...state, more, reload, patch }
}

interface ReadingOptions<Row> {
  size: number
  setState: Dispatch<SetStateAction<State<Row>>>
}

/** Reads pages of a list. A page of what was asked for before may be on its way: it is left out. */
function useReading<Data, Variables extends PageVariables, Row>(
  document: TypedDocumentNode<Data, Variables>,
  key: string,
  pageOf: (data: Data) => PageOf<Row> | undefined,
  { size, setState }: ReadingOptions<Row>,
) {
  const run = useRef(0)
  const pick = useRef(pageOf)
  /** Updates that arrived while pages are read. */
  const early = useRef<Patch<Row>[] | null>(null)

  // All pages are shown together where there are several, so that the list is not short for a moment.
  const load = useCallback(
    async (after: Place | null, atLeast = 0) => {
      const own = run.current
      early.current = []
      setState((before) => ({ ...before, isLoading: true, error: null }))
      try {
        const found = await readPages({ after, atLeast, size }, async (paging) => {
          // The parameters are those of the document: `others` lacks only what stands here.
          const variables = { ...JSON.parse(key), ...paging } as Variables
          const page = pick.current(await read(document, variables)) ?? NO_PAGE
          return own === run.current ? page : null
        })
        if (!found) return
        const { pages, cursor } = found
        const updates = early.current ?? []
        early.current = null
        setState((before) => ({
          ...pages.reduce<Rows<Row>>(
            (rows, page) => extended(rows, page, updates),
            after === null ? NO_ROWS : before,
          ),
          cursor,
          isMore: cursor !== null,
          isLoading: false,
          error: null,
        }))
      } catch (error) {
        if (own !== run.current) return
        early.current = null
        setState((before) => ({ ...before, isLoading: false, error: (error as Error).message }))
      }
    },
    [document, key, size, setState],
  )

  const start = useCallback(
    (rows: number) => {
      run.current++
      void load(null, rows)
    },
    [load],
  )

  const forget = useCallback(() => {
    run.current++
  }, [])

  /** Changes rows in place, as updates arrive. */
  const patch = useCallback(
    (change: Patch<Row>) => {
      early.current?.push(change)
      setState((before) => ({ ...before, ...patched(before, change) }))
    },
    [setState],
  )

  return { load, start, forget, patch }
}

interface PagesToRead {
  after: Place | null
  atLeast: number
  /** Rows of a page. */
  size: number
}

/**
 * Reads a page, and those behind it until there are enough rows.
 * @param readPage returns null once the list has begun anew
 */
async function readPages<Row>(
  { after, atLeast, size }: PagesToRead,
  readPage: (paging: PageVariables) => Promise<PageOf<Row> | null>,
): Promise<{ pages: PageOf<Row>[]; cursor: Place | null } | null> {
  const pages: PageOf<Row>[] = []
  let cursor = after
  let missing = atLeast
  do {
    const page = await readPage({
      first: Math.min(MOST, Math.max(size, missing)),
      ...(typeof cursor === 'number' ? { offset: cursor } : { after: cursor }),
      count: cursor === null,
    })
    if (!page) return null
    pages.push(page)
    const { hasNextPage, endCursor } = page.pageInfo
    const skipped = typeof cursor === 'number' ? cursor : 0
    cursor = hasNextPage ? (endCursor ?? skipped + page.nodes.length) : null
    missing -= page.nodes.length
  } while (cursor !== null && missing > 0)
  return { pages, cursor }
}
