import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { composeServices } from '@apollo/composition'
import { parse } from 'graphql'
import { type ProductProcess, spawnProduct } from '../product-process.ts'
import type { SubgraphServer } from './subgraph-server.ts'

/** The gateway alone, as operators of other graphs start it. */
export interface FederatedGateway {
  url: string
  file: string
  process: ProductProcess
  /** Replaces the supergraph's file in one step. */
  replace(text: string): Promise<void>
  stop(): Promise<void>
}

export const supergraphOf = (
  subgraphs: Readonly<Record<string, Pick<SubgraphServer, 'url' | 'sdl'>>>,
): string => {
  const services = Object.entries(subgraphs).map(([name, { url, sdl }]) => ({
    name,
    url,
    typeDefs: parse(sdl),
  }))
  const { supergraphSdl, errors } = composeServices(services)
  if (!supergraphSdl) throw new AggregateError(errors ?? [], String(errors))
  return supergraphSdl
}

/** Starts it without any variable that it does not need. */
export async function startFederatedGateway(
  supergraph: string,
  env: Record<string, string> = {},
): Promise<FederatedGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-supergraph-'))
  const file = join(folder, 'supergraph.graphql')
  await writeFile(file, supergraph)
  const process = spawnProduct(
    'gateway',
    ['gateway.js', '--remote'],
    { PORT: '0', LOG_LEVEL: 'debug', SUPERGRAPH: file, ...env },
    folder,
  )
  const [, url = ''] = await process.says(/"url":"([^"]+)","msg":"The gateway is ready"/)
  return {
    url,
    file,
    process,
    async replace(text) {
      await writeFile(`${file}.next`, text)
      await rename(`${file}.next`, file)
    },
    async stop() {
      process.signal('SIGTERM')
      expect(await process.exited).toEqual({ code: 0, signal: null })
      await rm(folder, { recursive: true })
    },
  }
}

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  data?: any
  errors?: { message: string; path?: unknown[]; extensions: Record<string, unknown> }[]
}

export async function ask(
  url: string,
  query: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })
  return { status: response.status, ...((await response.json()) as object) }
}
