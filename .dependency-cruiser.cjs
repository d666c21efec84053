/** Who may import whom. `npm run check` enforces it; ARCHITECTURE.md draws it. */
const forbid = (name, from, to) => ({ name, severity: 'error', from, to })

module.exports = {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }),
    forbid(
      'formats-import-nothing',
      { path: '^formats' },
      { path: '^(gateway|subgraphs|runner|platform|rest-bridge|backup|cli)' },
    ),
    forbid(
      'bridge-speaks-graphql-only',
      { path: '^rest-bridge' },
      { path: '^(gateway|subgraphs|runner|platform)' },
    ),
    forbid(
      'subgraphs-know-no-front',
      { path: '^(subgraphs|runner|platform)' },
      { path: '^(gateway|rest-bridge|backup)' },
    ),
    forbid(
      'subgraphs-do-not-know-each-other',
      { path: '^subgraphs/([^/]+)/' },
      { path: '^subgraphs/', pathNot: '^subgraphs/$1/' },
    ),
    forbid('platform-knows-no-subgraph', { path: '^platform' }, { path: '^(subgraphs|runner)' }),
    forbid('the-runner-knows-no-subgraph', { path: '^runner' }, { path: '^subgraphs' }),
    forbid(
      'subgraphs-are-entered-by-their-index',
      { path: '^(gateway|backup|emit-schema)' },
      { path: '^subgraphs', pathNot: '^subgraphs/[^/]+/index\\.ts$' },
    ),
    forbid(
      'lists-of-events-are-read-in-their-room',
      { path: '^subgraphs/events/', pathNot: '^subgraphs/events/read/' },
      { path: '^subgraphs/events/read/lists/' },
    ),
    forbid(
      'only-storage-knows-mikro-orm',
      {
        path: '^(gateway|rest-bridge|formats|platform|runner|subgraphs|backup)',
        pathNot: '(\\.repository|\\.entity)\\.ts$|/migrations/|^platform/database/',
      },
      { path: 'node_modules/@mikro-orm' },
    ),
    forbid(
      'only-the-database-knows-its-driver',
      {
        path: '^(gateway|rest-bridge|formats|platform|runner|subgraphs)',
        // pg-boss and LISTEN have connections of their own, and so has the command that seals secrets anew.
        pathNot:
          '^platform/(database/|data-dir/|jobs/|pub-sub/postgres\\.ts|tracing/sql-spans\\.ts)|^subgraphs/test-execution/reseal/',
      },
      { path: 'node_modules/(@types/)?pg/' },
    ),
    forbid(
      'only-the-front-and-servers-know-http',
      {
        path: '^(gateway|rest-bridge|subgraphs|runner|platform|formats|backup)',
        pathNot:
          '^gateway/http/(server|request-order|pipeline|http-message|body/read|websocket/websocket|pages/[^/]+)\\.ts$|^platform/(subgraph/(serve-subgraph|heartbeat|close-gracefully)|metrics/metrics-server)\\.ts$|^formats/errors\\.ts$',
      },
      { path: '^(node:)?http$' },
    ),
    forbid(
      'only-adapters-know-express',
      {
        path: '^(gateway|rest-bridge|formats|platform|runner|subgraphs|backup)',
        pathNot: '^(gateway/http/pages/|platform/subgraph/(serve|apollo)-subgraph\\.ts)',
      },
      { path: 'node_modules/(@types/)?express/' },
    ),
    forbid(
      'federation-is-entered-by-its-index',
      { path: '^(gateway|emit-schema)', pathNot: '^gateway/federation/' },
      { path: '^gateway/federation/', pathNot: '^gateway/federation/(index|planner)\\.ts$' },
    ),
    forbid(
      'federation-imports-types-alone',
      { path: '^gateway/federation/' },
      {
        path: '^(gateway|formats|platform|runner|subgraphs|rest-bridge)/',
        // Helpers that import no more than types, plain data and each other, which would go with it.
        pathNot:
          '^gateway/federation/|^formats/|^platform/(access/caller|async/made-once|load/own-turns|subgraph/response-size)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'the-command-uses-public-interfaces',
      { path: '^cli' },
      { path: '^(gateway|subgraphs|runner|platform|rest-bridge|backup)' },
    ),
    forbid(
      'nothing-imports-the-command',
      { path: '^(gateway|subgraphs|runner|platform|rest-bridge|formats|backup)' },
      { path: '^cli' },
    ),
    forbid(
      'web-knows-the-graph-only',
      { path: '^web' },
      {
        path: '^(gateway|subgraphs|runner|platform|rest-bridge|formats|schema|backup|test|examples)',
      },
    ),
    forbid(
      'server-needs-no-page',
      { path: '^(gateway|subgraphs|runner|platform|rest-bridge|formats|backup)' },
      { path: '^web' },
    ),
    forbid('production-code-needs-no-test', { pathNot: '^test' }, { path: '^test' }),
    forbid(
      'declared-dependencies-only',
      { path: '^(gateway|rest-bridge|formats|platform|runner|subgraphs|backup|cli)' },
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
