/** Scopes of API tokens. */
export const SCOPES = [
  'artifacts:read',
  'artifacts:write',
  'executions:read',
  'executions:run',
  'events:read',
  'events:write',
] as const

/** All that a caller may be allowed. What is no scope is open to people who signed in, and never to an API token. */
export const PERMISSIONS = [
  ...SCOPES,
  'callbacks:manage',
  'channels:manage',
  'events:import',
  'account:own',
  'accounts:manage',
  'audit:read',
] as const

export type Scope = (typeof SCOPES)[number]
export type Permission = (typeof PERMISSIONS)[number]

const READER = ['artifacts:read', 'executions:read', 'events:read', 'account:own'] as const
const RUNNER = [...READER, 'executions:run', 'events:write'] as const
const EDITOR = [...RUNNER, 'artifacts:write', 'callbacks:manage'] as const

/** Each role may do what the one before it may, and more. */
export const ROLES = {
  reader: READER,
  runner: RUNNER,
  editor: EDITOR,
  admin: PERMISSIONS,
} as const satisfies Record<string, readonly Permission[]>

export type Role = keyof typeof ROLES

export const ROLE_NAMES = Object.keys(ROLES) as Role[] // the keys of a literal

export const isRole = (text: string): text is Role => Object.hasOwn(ROLES, text)
