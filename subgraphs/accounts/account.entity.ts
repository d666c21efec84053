import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { Role, Scope } from '../../platform/access/permissions.ts'
import type { Row } from '../../platform/database/row.ts'

export const AccountEntity = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    id: p.uuid().primary(),
    /** In lower case; the name to sign in with, and the user in histories. */
    email: p.text().unique('account_email_unique'),
    role: p.string().$type<Role>(),
    /** An inactive account cannot sign in. */
    active: p.boolean(),
    /** argon2id, as a PHC string. */
    passwordHash: p.text().lazy(),
    created: p.datetime(3),
  },
})

/** Somebody who may sign in. */
export type Account = Omit<Row<InferEntity<typeof AccountEntity>>, 'passwordHash'>

export const ApiTokenEntity = defineEntity({
  name: 'ApiToken',
  tableName: 'api_token',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    name: p.text(),
    scopes: p.json<Scope[]>(),
    /** SHA-256; the secret is too long to be guessed from it. */
    secretHash: p.string().lazy().unique('api_token_secret_hash_unique'),
    created: p.datetime(3),
    /** Null: never. */
    expires: p.datetime(3).nullable(),
    /** To the minute; null: never used. */
    lastUsed: p.datetime(3).nullable(),
  },
  indexes: [{ name: 'api_token_account_id_index', properties: ['accountId'] }],
})

/** A long-lived secret of an account, for programs. */
export type ApiToken = Omit<Row<InferEntity<typeof ApiTokenEntity>>, 'secretHash'>

export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    /** SHA-256. */
    secretHash: p.string().lazy().unique('session_secret_hash_unique'),
    expires: p.datetime(3),
  },
  indexes: [{ name: 'session_account_id_index', properties: ['accountId'] }],
})

/** Session of a token that `/authenticate` gave. */
export type Session = Omit<Row<InferEntity<typeof SessionEntity>>, 'secretHash'>
