import express, { type RequestHandler } from 'express'
import { type Destination, readable } from '../router.ts'
import { explorerDocuments, explorerPages } from './explorer.ts'
import { GRAPHIQL_FILES, graphiqlFile } from './graphiql/graphiql.ts'
import { ASSETS } from './graphiql/page.ts'

/** The explorer of the REST interfaces. @param root of the REST paths */
export const explorerDestinations = (root: string): Destination[] => [
  ...Object.entries(explorerPages()).map(([path, page]) => byExpress(root + path, page)),
  ...Object.entries(explorerDocuments(root)).map(([path, handle]) =>
    readable(root + path, { handle }),
  ),
]

/** Destinations that GraphiQL loads. */
export const graphiqlDestinations = (): Destination[] =>
  Object.keys(GRAPHIQL_FILES).map((name) => byExpress(`${ASSETS}/${name}`, graphiqlFile(name)))

/** Express serves files with validators, ranges and encodings. */
function byExpress(path: string, page: RequestHandler): Destination {
  // Its type leaves out the third parameter, which takes over what fails.
  const app = express().disable('x-powered-by').disable('etag').use(page) as RequestHandler
  return readable(path, { handle: () => ({ express: app }) })
}
