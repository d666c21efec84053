import { misspelt } from '../../../platform/settings/misspelt.ts'
import { VARIABLES } from '../../../platform/settings/variables.ts'

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['OPERATION_MAX_DEPHT', 'OPERATION_MAX_DEPTH'],
  ['WORKERS_SLOT', 'WORKER_SLOTS'],
  ['AUTHMODE', 'AUTH_MODE'],
  ['auth_mode', 'AUTH_MODE'],
  ['ASSAY_PORT', 'PORT'],
  ['ASSAY_LOG_LEVL', 'LOG_LEVEL'],
  ['ASSAY_COLOUR', null],
])('%s is unknown and near to %s', (setting, nearest) => {
  expect(misspelt({ [setting]: 'x' })).toEqual([{ setting, nearest }])
})

test('known settings, those of clients and names of other programs are left alone', () => {
  const others = [
    'HOME HOSTNAME PATH PWD SHELL USER LANG TERM EDITOR TZ TMPDIR CI NO_COLOR FORCE_COLOR HTTP_PROXY HTTPS_PROXY',
    'NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS npm_config_cache npm_lifecycle_event INIT_CWD LS_COLORS SSH_AUTH_SOCK',
    'JAVA_HOME JENKINS_URL BUILD_URL WORKSPACE POSTGRES_PASSWORD NATS_PASSWORD PGPORT DISPLAY LOGNAME XDG_DATA_DIRS',
    'ASSAY_URL ASSAY_CREDENTIALS ASSAY_LOGIN ASSAY_TIMEOUT',
  ]
  const names = [...others.join(' ').split(' '), ...Object.keys(VARIABLES)]
  expect(misspelt(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([])
})
