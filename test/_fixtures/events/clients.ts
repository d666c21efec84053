/**
 * Posts of clients in the field to the event interface, reduced to what matters in each, and what they rely on.
 * Every client posts its steps in order; nothing else may use their fingerprints.
 */

export interface Step {
  body: unknown
  status: number
  /** Per event of the body: whether it is accepted, or the message of its error. */
  verdicts: ('accepted' | string)[]
  /** First event of the body when it is read back. */
  stored?: Record<string, unknown>
}

export interface Client {
  headers: Record<string, string>
  steps: Step[]
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

/** A Python command line: sorted keys, severity in lower case, no status at all, account and token. */
export const commandLine: Client = {
  headers: { ...JSON_TYPE, Authorization: basic('ops@example.com:t0ken') },
  steps: [
    {
      body: {
        fingerprintFields: ['@title'],
        message: 'nightly copy took 41 min',
        properties: { host: 'backup-2' },
        severity: 'info',
        source: { ref: 'backup-2', type: 'host' },
        title: 'Backup finished',
      },
      status: 202,
      verdicts: ['accepted'],
      stored: { severity: 'INFO', status: 'OK', title: 'Backup finished' },
    },
  ],
}

/** A Java importer of issues: arrays of up to 1000, only a token, times as seconds in a string, a strict decoder. */
export const bulkImporter: Client = {
  headers: {
    ...JSON_TYPE,
    accept: 'application/json',
    Authorization: basic(':t0ken'),
    'User-Agent': 'IssueImporter',
  },
  steps: [
    {
      body: [
        {
          title: 'SHOP-412',
          fingerprintFields: ['app_id', 'issue'],
          severity: 'INFO',
          status: 'OPEN',
          message: 'Basket loses its items',
          createdAt: '1506251154',
          eventClass: 'Tracker',
          source: { ref: 'tracker', type: 'application', name: 'Tracker' },
          properties: { app_id: 'shop', issue: 'SHOP-412' },
        },
        {
          fingerprintFields: ['app_id'],
          source: { ref: 'tracker', type: 'application' },
          properties: { app_id: 'shop' },
        },
      ],
      status: 202,
      verdicts: ['accepted', 'The required field was missing: [title]'],
      stored: { eventClass: 'Tracker', lastSeenAt: 1_506_251_154_000 },
    },
  ],
}

/** A build server's plug-in: blanks in the names of properties, also of the one that forms the fingerprint. */
export const buildServer: Client = {
  headers: JSON_TYPE,
  steps: ['#12', '#13'].map((number, i) => ({
    body: {
      title: 'Build broken',
      fingerprintFields: ['build name'],
      source: { ref: 'ci-1', type: 'jenkins' },
      properties: { 'build status': 'FAILURE', 'build number': number, 'build name': 'shop-main' },
      status: 'OPEN',
      severity: 'WARN',
    },
    status: 202,
    verdicts: ['accepted'],
    stored: { timesSeen: i + 1, severity: 'WARN', status: 'OPEN' },
  })),
}

/** A monitoring check's handler: the state of the check as severity, in words of its own. */
export const checkHandler: Client = {
  headers: JSON_TYPE,
  steps: ['UNKNOWN', 'DOWN'].map((severity, i) => ({
    body: {
      title: 'disk of db1',
      fingerprintFields: ['eventKey'],
      severity,
      status: 'OPEN',
      source: { ref: 'db1', type: 'host' },
      properties: { eventKey: 'db1-disk', attempts: 3, stateType: 'HARD' },
    },
    status: 202,
    verdicts: ['accepted'],
    stored: { severity, timesSeen: i + 1 },
  })),
}

const configurationRun = (outcome: Record<string, unknown>, updatedResourceCount: number) => ({
  ...outcome,
  properties: {
    updatedResourceCount,
    run_list: ['recipe[web]'],
    roles: [],
    eventKey: 'configuration-run',
    startTime: 1,
    endTime: 2,
  },
  organizationId: 'shop',
  source: { ref: 'web1', type: 'host' },
  fingerprintFields: ['eventKey'],
})

/** A configuration management's handler: a failed run, then a good one under the same fingerprint; a field of its own. */
export const configurationManagement: Client = {
  headers: JSON_TYPE,
  steps: [
    {
      body: configurationRun(
        {
          title: 'Run failed',
          tags: ['run-failure'],
          status: 'OPEN',
          severity: 'ERROR',
          message: 'web1 (10.0.0.1) could not be configured',
        },
        3,
      ),
      status: 202,
      verdicts: ['accepted'],
      stored: { status: 'OPEN', severity: 'ERROR', tags: ['run-failure'], timesSeen: 1 },
    },
    {
      body: configurationRun(
        {
          title: 'Run succeeded',
          tags: ['run-success'],
          status: 'CLOSED',
          severity: 'INFO',
          message: 'web1 (10.0.0.1) is as it should be',
        },
        0,
      ),
      status: 202,
      verdicts: ['accepted'],
      stored: { status: 'CLOSED', severity: 'INFO', tags: ['run-success'], timesSeen: 2 },
    },
  ],
}
