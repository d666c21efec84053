import type { AuthMode } from '../platform/settings/variables.ts'

/** First words in the terminal: the addresses, and one command for each kind of user. */
export const welcome = (
  url: string,
  { apiRootPath, ui, mode }: { apiRootPath: string; ui: boolean; mode: AuthMode },
): string => `
Assay is ready.${ui ? `\n\n  Open ${url}/ in a browser.\n` : ''}
  REST      ${url}${apiRootPath}
  Explorer  ${url}${apiRootPath}/swagger-ui.html
  GraphQL   ${url}/graphql   (HTTP, WebSocket, and GraphiQL for browsers)
  Health    ${url}/healthz

Run a scenario, as a build server does:
  curl -s -X POST -H "credentials: $(printf 'ci:secret' | base64)" '${url}${apiRootPath}/testcase/loan-schedule/execute?synchron=true'

Ask the graph, as a frontend does:
  curl -s ${url}/graphql -H 'content-type: application/json' -d '{"query":"{ testCase(id: \\"loan-schedule\\") { name componentUnderTest { name } events { nodes { title status timesSeen } } } }"}'

Watch an execution live, as a dashboard does:
  ASSAY_URL=${url} ASSAY_CREDENTIALS=ci:secret npm run -s watch -- tax-table
${signInOf(mode)}
`

const signInOf = (mode: AuthMode): string =>
  mode === 'none'
    ? ''
    : `\nThese commands need a sign-in as well (AUTH_MODE=${mode}): see docs/how-to/sign-in.md.\n`
