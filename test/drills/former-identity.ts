import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { startAssay } from '../support/assay.ts'

/** An issuer of bearer tokens. All of its subjects are called `ada`. */
async function startIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const server = createServer(({ url }, response) => {
    const discovery = { issuer, jwks_uri: `${issuer}/keys` }
    response.end(JSON.stringify(url === '/keys' ? { keys: [key] } : discovery))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    tokenFor: (sub: string) =>
      new SignJWT({ sub, preferred_username: 'ada', roles: 'editor' })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(issuer)
        .setAudience('assay')
        .setExpirationTime('1h')
        .sign(privateKey),
    stop: () => server.close(),
  }
}

/**
 * Upgrades one process with users of an issuer, and rolls it back. Keys that the version before took under a name hold
 * for its subjects; keys of this version are those of one subject.
 * @param dist of the version before @returns what was wrong
 */
export async function formerIdentity(dist: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-identity-'))
  const issuer = await startIssuer()
  const env = {
    DATA_DIR: join(folder, 'data'),
    AUTH_MODE: 'oidc',
    OIDC_ISSUER: issuer.issuer,
    OIDC_AUDIENCE: 'assay',
  }
  /** @returns the executions that requests of these subjects under these keys started */
  async function started(version: { dist?: string }, requests: [string, string][]) {
    const assay = await startAssay({ mode: 'in-process', env, ...version })
    const ids: unknown[] = []
    for (const [sub, key] of requests) {
      const response = await fetch(`${assay.url}/api/execute/loan-schedule`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await issuer.tokenFor(sub)}`,
          credentials: Buffer.from('tester:any').toString('base64'),
          'idempotency-key': key,
        },
      })
      const answer = (await response.json()) as Record<string, unknown>
      const { id, executedBy, message } = answer
      ids.push(executedBy === 'ada' ? id : `${response.status} ${message}`)
    }
    await assay.stop()
    return ids
  }
  try {
    const [before] = await started({ dist }, [['u1', 'before']])
    const [again, one, other, repeated] = await started({}, [
      ['u1', 'before'],
      ['u1', 'after'],
      ['u2', 'after'],
      ['u1', 'after'],
    ])
    const [back] = await started({ dist }, [['u1', 'before']])
    const claims = {
      'a key of the version before holds after the upgrade': again === before,
      'it holds after the roll back': back === before,
      'a key is that of one subject': one !== other,
      'it holds for that subject': repeated === one,
      'executions start': [before, one, other].every((id) => /^[\da-f-]{36}$/.test(String(id))),
    }
    const ids = JSON.stringify({ before, again, one, other, repeated, back })
    return Object.entries(claims)
      .filter(([, holds]) => !holds)
      .map(([claim]) => `not so: ${claim} (${ids})`)
  } finally {
    issuer.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
