import { createHash } from 'node:crypto'
import type { Example } from './examples.ts'

/** Monaco, the editor of GraphiQL, works in these. */
const WORKERS = {
  editorWorkerService: 'editor.worker.js',
  json: 'json.worker.js',
  graphql: 'graphql.worker.js',
}

/** Path of the files of the page. */
export const ASSETS = '/graphql/graphiql'

const script = (examples: readonly Example[]) => `
const workers = ${asScript(WORKERS)}
// Headers may hold a password. Sign in by the web client instead: its session works here, too.
localStorage.setItem('graphiql:shouldPersistHeaders', 'false')
localStorage.removeItem('graphiql:headers')
self.MonacoEnvironment = { getWorkerUrl: (_id, label) => '${ASSETS}/' + workers[label] }
YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), ${asScript({
  title: 'Assay',
  logo: '<span></span>',
  endpoint: '/graphql',
  subscriptionsProtocol: 'WS',
  ...(examples.length > 0 ? { defaultTabs: examples } : {}),
})})
`

/** JSON that no HTML parser takes for the end of the script. */
const asScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** @returns GraphiQL's page, and the headers that allow it nothing but itself and the graph it came from */
export function graphiqlPage(examples: readonly Example[]) {
  const start = script(examples)
  const hash = createHash('sha256').update(start).digest('base64')
  return {
    headers: {
      'Content-Security-Policy': [
        "default-src 'none'",
        `script-src 'self' 'sha256-${hash}'`,
        "style-src 'self' 'unsafe-inline'", // the editor writes styles
        "worker-src 'self'",
        "connect-src 'self'",
        "font-src 'self' data:",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Cache-Control': 'no-cache',
      Vary: 'Accept',
    },
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Assay: GraphQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${ASSETS}/graphiql.css">
<style>
html, body, #root, .graphiql-container { height: 100%; margin: 0 }
/* Otherwise the first click on a tab moves it away. */
.graphiql-tab { transform: none !important }
</style>
</head>
<body>
<div id="root"></div>
<noscript>GraphiQL needs JavaScript. The graph answers POST requests at this address, too.</noscript>
<script src="${ASSETS}/graphiql.js"></script>
<script>${start}</script>
</body>
</html>
`,
  }
}
