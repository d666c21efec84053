import type { AnyVariables, TypedDocumentNode } from '@urql/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { read } from './client.ts'

interface State<Data> {
  data: Data | undefined
  error: string | null
  isLoading: boolean
}

/**
 * Reads past the cache, and not again until it is asked to: what an editor starts with must be what is stored, and must
 * not change below its reader.
 */
export function useFresh<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) {
  const [state, setState] = useState<State<Data>>({ data: undefined, error: null, isLoading: true })
  const run = useRef(0)
  const key = JSON.stringify(variables)
  const reload = useCallback(async () => {
    const own = ++run.current
    setState((before) => ({ ...before, error: null, isLoading: before.data === undefined }))
    try {
      const data = await read(document, JSON.parse(key) as Variables) // the text of them
      if (own === run.current) setState({ data, error: null, isLoading: false })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (own === run.current)
        setState((before) => ({ ...before, error: message, isLoading: false }))
    }
  }, [document, key])
  useEffect(() => {
    setState({ data: undefined, error: null, isLoading: true })
    void reload()
  }, [reload])
  return { ...state, reload: () => void reload() }
}
