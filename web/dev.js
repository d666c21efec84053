// `npm run web`: the web client, built anew after each change, before a gateway that runs already. ASSAY_URL names the
// gateway, PORT where to listen.
import { createReadStream, existsSync, mkdirSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { context } from 'esbuild'
import { bundleOptions, pageOf } from './build.js'

const gateway = new URL(process.env.ASSAY_URL ?? 'http://127.0.0.1:4000')
const port = Number(process.env.PORT ?? 5173)
const folder = join(import.meta.dirname, '../node_modules/.cache/assay-web-dev')
const TYPES = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  map: 'application/json',
}

mkdirSync(folder, { recursive: true })
const building = await context({
  ...bundleOptions(folder),
  minify: false,
  sourcemap: 'linked',
  define: { 'process.env.NODE_ENV': '"development"' },
})
await building.watch()

/** Requests of others keep their own page as `Origin`; those of this page get the gateway's. */
const passOn = (message) => {
  const headers = { ...message.headers, host: gateway.host }
  if (headers.origin) headers.origin = gateway.origin
  return request({ ...at(message), method: message.method, headers })
}
const at = ({ url }) => ({ hostname: gateway.hostname, port: gateway.port, path: url })

createServer(async (message, response) => {
  const name = /^\/assets\/([\w.-]+)$/.exec(message.url)?.[1]
  if (name && existsSync(join(folder, name))) {
    response.setHeader('content-type', TYPES[name.split('.').at(-1)] ?? 'application/octet-stream')
    createReadStream(join(folder, name)).pipe(response)
  } else if (
    message.headers.accept?.includes('text/html') &&
    !/^\/(graphql|api)/.test(message.url)
  ) {
    const { metafile } = await building.rebuild()
    const facts = { apiRoot: '/api', authMode: 'none', version: 'development' }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(pageOf(metafile).replace(/\{\{(\w+)\}\}/g, (_all, key) => facts[key]))
  } else {
    const passed = passOn(message).on('response', (answer) => {
      response.writeHead(answer.statusCode, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.writeHead(502).end(`No gateway answers at ${gateway.origin}`))
    message.pipe(passed)
  }
})
  .on('upgrade', (message, socket, head) => {
    const passed = passOn(message).on('upgrade', (answer, remote) => {
      const lines = Object.entries(answer.headers).map(([key, value]) => `${key}: ${value}`)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
      remote.write(head)
      remote.pipe(socket).pipe(remote)
      for (const each of [remote, socket]) each.on('error', () => each.destroy())
    })
    passed.on('error', () => socket.destroy())
    passed.end()
  })
  .listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port} over ${gateway.origin}`))
