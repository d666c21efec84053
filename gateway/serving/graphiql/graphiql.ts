import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import express, { type RequestHandler, type Router } from 'express'
import type { Example } from './examples.ts'
import { graphiqlPage } from './page.ts'

/** Where the build puts the bundle, compressed. */
const FOLDER = fileURLToPath(new URL('../../../graphiql/', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  'graphiql.js': 'text/javascript; charset=utf-8',
  'graphiql.css': 'text/css; charset=utf-8',
  'editor.worker.js': 'text/javascript; charset=utf-8',
  'json.worker.js': 'text/javascript; charset=utf-8',
  'graphql.worker.js': 'text/javascript; charset=utf-8',
}

/** Serves GraphiQL, all of it from here, to those who ask for HTML. Whatever else is asked is for the graph. */
export function serveGraphiql(examples: readonly Example[]): Router {
  const { headers, html } = graphiqlPage(examples)
  const page: RequestHandler = (request, response, next) => {
    if (request.accepts(OFFERED) !== 'text/html') return next()
    return response.set(headers).type('html').send(html)
  }
  return express.Router().get('/', page).get('/graphiql/:file', asset)
}

/** Clients that take anything get JSON. */
const OFFERED = [
  'application/json',
  'application/graphql-response+json',
  'text/event-stream',
  'text/html',
]

const asset: RequestHandler<{ file: string }> = (request, response, next) => {
  const type = Object.hasOwn(TYPES, request.params.file) ? TYPES[request.params.file] : undefined
  if (!type) return next()
  const compressed = `${request.params.file}.gz`
  response.set({
    'Content-Type': type,
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
