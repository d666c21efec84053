/** Who may import whom. `npm run check` enforces it; ARCHITECTURE.md draws it. */
const forbid = (name, from, to) => ({ name, severity: 'error', from, to })

module.exports = {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }),
    forbid(
      'schema-imports-nothing',
      { path: '^schema', pathNot: '^schema/emit\\.ts$' },
      { path: '^(gateway|subgraphs|rest-bridge)' },
    ),
    forbid(
      'bridge-speaks-graphql-only',
      { path: '^rest-bridge' },
      { path: '^(gateway|subgraphs)' },
    ),
    forbid(
      'subgraphs-know-no-front',
      { path: '^subgraphs' },
      { path: '^(gateway|rest-bridge|backup)' },
    ),
    forbid(
      'subgraphs-do-not-know-each-other',
      { path: '^subgraphs/(?!platform/)([^/]+)/' },
      { path: '^subgraphs/', pathNot: '^subgraphs/(platform|$1)/' },
    ),
    forbid(
      'platform-knows-no-subgraph',
      { path: '^subgraphs/platform/' },
      { path: '^subgraphs/(?!platform/)' },
    ),
    forbid(
      'subgraphs-are-entered-by-their-index',
      { path: '^(gateway|backup|schema/emit)' },
      { path: '^subgraphs/(?!platform/)', pathNot: '^subgraphs/[^/]+/index\\.ts$' },
    ),
    forbid(
      'lists-of-events-are-read-in-their-room',
      { path: '^subgraphs/events/', pathNot: '^subgraphs/events/read/' },
      { path: '^subgraphs/events/read/lists/' },
    ),
    forbid(
      'only-storage-knows-mikro-orm',
      {
        path: '^(gateway|rest-bridge|schema|subgraphs|backup)',
        pathNot: '(\\.repository|\\.entity)\\.ts$|/migrations/|^subgraphs/platform/database/',
      },
      { path: 'node_modules/@mikro-orm' },
    ),
    forbid(
      'only-the-database-knows-its-driver',
      {
        path: '^(gateway|rest-bridge|schema|subgraphs)',
        // pg-boss and LISTEN have connections of their own, and so has the command that seals secrets anew.
        pathNot:
          '^subgraphs/platform/(database/|data-dir/|jobs/|pub-sub/postgres\\.ts|tracing/sql-spans\\.ts)|^subgraphs/test-execution/reseal/',
      },
      { path: 'node_modules/(@types/)?pg/' },
    ),
    forbid(
      'only-the-front-and-servers-know-http',
      {
        path: '^(gateway|rest-bridge|subgraphs|schema|backup)',
        pathNot:
          '^gateway/http/(server|request-order|pipeline|http-message|body/read|websocket/websocket|pages/[^/]+)\\.ts$|^subgraphs/platform/(subgraph/(serve-subgraph|heartbeat|close-gracefully)|metrics/metrics-server)\\.ts$|^schema/errors\\.ts$',
      },
      { path: '^(node:)?http$' },
    ),
    forbid(
      'only-adapters-know-express',
      {
        path: '^(gateway|rest-bridge|schema|subgraphs|backup)',
        pathNot: '^(gateway/http/pages/|subgraphs/platform/subgraph/(serve|apollo)-subgraph\\.ts)',
      },
      { path: 'node_modules/(@types/)?express/' },
    ),
    forbid(
      'federation-is-entered-by-its-index',
      { path: '^(gateway|schema/emit)', pathNot: '^gateway/federation/' },
      { path: '^gateway/federation/', pathNot: '^gateway/federation/(index|planner)\\.ts$' },
    ),
    forbid(
      'federation-imports-types-alone',
      { path: '^gateway/federation/' },
      {
        path: '^(gateway|schema|subgraphs|rest-bridge)/',
        // Helpers that import no more than types, plain data and each other, which would go with it.
        pathNot:
          '^gateway/federation/|^schema/variable-fault\\.ts$|^subgraphs/platform/(access/caller|documents|document-rules|event-key|async/(made-once|own-turns)|subgraph/response-size)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'the-command-uses-public-interfaces',
      { path: '^cli' },
      { path: '^(gateway|subgraphs|rest-bridge|backup)' },
    ),
    forbid(
      'nothing-imports-the-command',
      { path: '^(gateway|subgraphs|rest-bridge|schema|backup)' },
      { path: '^cli' },
    ),
    forbid(
      'web-knows-the-graph-only',
      { path: '^web' },
      { path: '^(gateway|subgraphs|rest-bridge|schema|backup|test|examples)' },
    ),
    forbid(
      'server-needs-no-page',
      { path: '^(gateway|subgraphs|rest-bridge|schema|backup)' },
      { path: '^web' },
    ),
    forbid('production-code-needs-no-test', { pathNot: '^test' }, { path: '^test' }),
    forbid(
      'declared-dependencies-only',
      { path: '^(gateway|rest-bridge|schema|subgraphs|backup|cli)' },
      {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        pathNot: '@types/',
      },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
}
