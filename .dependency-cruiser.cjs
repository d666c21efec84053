/** Rules of imports between rooms. `npm run check` enforces it; ARCHITECTURE.md draws it. */

/** The rooms, each with those that it may import. */
const ROOMS = {
  formats: [],
  platform: ['formats'],
  runner: ['platform', 'formats'],
  subgraphs: ['runner', 'platform', 'formats'],
  'rest-bridge': ['schema', 'formats'],
  gateway: ['rest-bridge', 'subgraphs', 'platform', 'schema', 'formats'],
  backup: ['subgraphs', 'platform', 'formats'],
  cli: ['formats'],
  web: [],
}

/** Imports that only a few files may make: packages and rooms inside of rooms, each with the files and folders that do. */
const KNOWN_TO = {
  'node_modules/@mikro-orm/': [
    'platform/database/',
    'subgraphs/.*/migrations/',
    'platform/audit/migrations/',
    '.*\\.entity\\.ts',
    '.*\\.repository\\.ts',
  ],
  'node_modules/(@types/)?pg/': [
    'platform/database/',
    'platform/data-dir/',
    'platform/jobs/',
    'platform/pub-sub/postgres.ts',
    'platform/tracing/sql-spans.ts',
    'subgraphs/test-execution/reseal/',
    'backup/',
  ],
  'node_modules/(@types/)?express/': [
    'gateway/http/pages/',
    'platform/subgraph/serve-subgraph.ts',
    'platform/subgraph/apollo-subgraph.ts',
  ],
  '(node:)?http$': [
    'formats/errors.ts',
    'gateway/http/server.ts',
    'gateway/http/connection-bounds.ts',
    'gateway/http/pipeline.ts',
    'gateway/http/http-message.ts',
    'gateway/http/body/read.ts',
    'gateway/http/websocket/',
    'gateway/http/pages/',
    'platform/subgraph/serve-subgraph.ts',
    'platform/subgraph/heartbeat.ts',
    'platform/subgraph/close-gracefully.ts',
    'platform/metrics/metrics-server.ts',
    'cli/',
  ],
  'subgraphs/events/read/lists/': ['subgraphs/events/read/'],
}

const rooms = Object.keys(ROOMS)
const forbid = (name, from, to) => ({ name, severity: 'error', from, to })
const any = (paths) => `^(${paths.join('|')})`
const inAny = (names) => `^(${names.join('|')})/`

module.exports = {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }),
    ...Object.entries(ROOMS).map(([room, others]) =>
      forbid(
        `${room} imports ${others.join(', ') || 'no other room'}`,
        { path: inAny([room]) },
        {
          path: inAny(
            [...rooms, 'schema', 'test'].filter((name) => name !== room && !others.includes(name)),
          ),
        },
      ),
    ),
    ...Object.entries(KNOWN_TO).map(([known, paths]) =>
      forbid(
        `few import ${known}`,
        { path: inAny(rooms), pathNot: any(paths) },
        { path: `^${known}` },
      ),
    ),
    forbid(
      'subgraphs do not know each other',
      { path: '^subgraphs/([^/]+)/' },
      { path: '^subgraphs/', pathNot: '^subgraphs/$1/' },
    ),
    forbid(
      'a subgraph is entered by its index',
      { pathNot: '^(subgraphs|test)/' },
      { path: '^subgraphs/', pathNot: '/index\\.ts$' },
    ),
    forbid(
      'federation is entered by an index',
      { pathNot: '^(gateway/federation|test)/' },
      { path: '^gateway/federation/', pathNot: '/index\\.ts$' },
    ),
    forbid(
      'federation imports formats and types',
      { path: '^gateway/federation/' },
      {
        path: inAny(rooms),
        pathNot: '^(gateway/federation|formats)/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'declared dependencies only',
      { path: inAny(rooms), pathNot: '^web/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: '@types/' },
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
