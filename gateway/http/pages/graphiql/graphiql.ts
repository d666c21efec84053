import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import type { RequestHandler } from 'express'
import { type TextResponse, textResponse } from '../../http-message.ts'
import type { Example } from './examples.ts'
import { graphiqlPage } from './page.ts'

/** Folder in which the build puts the bundle, compressed. */
const FOLDER = fileURLToPath(new URL('../../../../graphiql/', import.meta.url))

/** Files of the page, by name. */
export const GRAPHIQL_FILES: Readonly<Record<string, string>> = {
  'graphiql.js': 'text/javascript; charset=utf-8',
  'graphiql.css': 'text/css; charset=utf-8',
  'editor.worker.js': 'text/javascript; charset=utf-8',
  'json.worker.js': 'text/javascript; charset=utf-8',
  'graphql.worker.js': 'text/javascript; charset=utf-8',
}

/** The page that browsers get at the address of the graph. */
export function graphiqlResponse(examples: readonly Example[]): TextResponse {
  const { headers, html } = graphiqlPage(examples)
  return textResponse({ status: 200, body: html, mediaType: 'text/html', headers })
}

/** Serves one of the files. */
export const graphiqlFile =
  (name: string): RequestHandler =>
  (request, response) => {
    const compressed = `${name}.gz`
    response.set({
      'Content-Type': GRAPHIQL_FILES[name],
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
    })
    if (!request.acceptsEncodings('gzip')) {
      createReadStream(FOLDER + compressed)
        .pipe(createGunzip())
        .pipe(response)
      return
    }
    response.set('Content-Encoding', 'gzip')
    response.sendFile(compressed, { root: FOLDER, cacheControl: false, acceptRanges: false })
  }
