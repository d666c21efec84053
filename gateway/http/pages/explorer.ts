import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { RequestHandler, Response } from 'express'
import { type TextResponse, textResponse } from '../http-message.ts'

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Assay: API explorer</title>
  <link rel="icon" type="image/png" href="swagger-ui/favicon-32x32.png">
  <link rel="stylesheet" href="swagger-ui/swagger-ui.css">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="swagger-ui/swagger-ui-bundle.js"></script>
  <script src="swagger-ui/swagger-ui-standalone-preset.js"></script>
  <script src="swagger-ui/start.js"></script>
</body>
</html>
`

/** No validator: it would ask a host of others. */
const START = `SwaggerUIBundle({
  urls: [
    { name: 'OpenAPI 3.1', url: 'v3/api-docs' },
    { name: 'Swagger 2.0', url: 'v2/api-docs' },
  ],
  dom_id: '#swagger-ui',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  // A refusal is shown on the page, not in the browser's window for passwords.
  requestInterceptor: (request) => {
    request.headers['X-Requested-With'] = 'swagger-ui'
    return request
  },
})
`

/** Copied by build.js. */
const ASSETS = fileURLToPath(new URL('../../../swagger-ui', import.meta.url))

const FILES = [
  'favicon-32x32.png',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
]

/** Hash of the one style attribute that Swagger UI writes. */
const ITS_STYLE = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='"

/** Everything comes from here, and scripts are files. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' 'unsafe-hashes' ${ITS_STYLE}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The explorer page with all it needs but the documents that it shows: what GET answers, by path.
 */
export function explorerPages(): Readonly<Record<string, RequestHandler>> {
  const files = FILES.map((name): [string, RequestHandler] => [
    `/swagger-ui/${name}`,
    (_request, response) =>
      secured(response).sendFile(name, { root: ASSETS, maxAge: '1h', acceptRanges: false }),
  ])
  return {
    '/swagger-ui.html': (_request, response) =>
      void secured(response).set('Content-Security-Policy', POLICY).type('html').send(PAGE),
    '/swagger-ui/start.js': (_request, response) => void secured(response).type('js').send(START),
    ...Object.fromEntries(files),
    // The command in one file, of the same version as the product. Beside any package.json, .mjs is a module.
    '/assay.mjs': sendCommand,
    '/assay.js': sendCommand,
    // The same for npm, which installs packages from addresses.
    '/assay.tgz': (_request, response) =>
      void response
        .type('application/gzip')
        .sendFile(fileURLToPath(COMMAND_PACKAGE), { dotfiles: 'allow' }),
  }
}

/** Documents that describe the interface, by path. */
export const explorerDocuments = (
  root: string,
): Readonly<Record<string, () => Promise<TextResponse>>> => ({
  '/v3/api-docs': async () =>
    textResponse({
      status: 200,
      body: { ...(await read('openapi.json')), servers: [{ url: root || '/' }] },
    }),
  '/v2/api-docs': async () =>
    textResponse({ status: 200, body: { ...(await read('swagger.json')), basePath: root || '/' } }),
  '/scenario.schema.json': async () =>
    textResponse({
      status: 200,
      body: JSON.stringify(await read('scenario.schema.json')),
      mediaType: 'application/schema+json',
    }),
})

const sendCommand: RequestHandler = (_request, response) =>
  void response.type('js').sendFile(fileURLToPath(COMMAND), { dotfiles: 'allow' })

const COMMAND = new URL('../../../assay.js', import.meta.url)
const COMMAND_PACKAGE = new URL('../../../assay.tgz', import.meta.url)

const secured = (response: Response): Response =>
  response.set({ 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' })

const read = async (name: string): Promise<object> =>
  JSON.parse(await readFile(new URL(`../../../schema/${name}`, import.meta.url), 'utf8'))
