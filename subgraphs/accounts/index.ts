import type { FirstAdmin } from '../../platform/access/first-admin.ts'
import type { SessionLifetimes } from '../../platform/access/session-lifetimes.ts'
import { closeOrm, ormOptions, startOrm } from '../../platform/database/orm.ts'
import { watchPool } from '../../platform/metrics/shared-metrics.ts'
import { withReleasers } from '../../platform/process/releasers.ts'
import { buildSubgraph, subgraphSdl } from '../../platform/subgraph/build-subgraph.ts'
import type { Subgraph, SubgraphDeps } from '../../platform/subgraph/subgraph.ts'
import { AccountRepository } from './account.repository.ts'
import { AccountResolver } from './account.resolver.ts'
import { AccountService } from './account.service.ts'
import { AuditRepository } from './audit/audit.repository.ts'
import { AuditResolver } from './audit/audit.resolver.ts'
import { serveAuditRetention } from './audit/audit.retention.ts'
import { BrowserSessionRepository } from './sessions/browser-session.repository.ts'
import { BrowserSessionResolver } from './sessions/browser-session.resolver.ts'
import { BrowserSessionService } from './sessions/browser-session.service.ts'
import { SessionRenewalRepository } from './sessions/session-renewal.repository.ts'
import { SessionRenewalResolver } from './sessions/session-renewal.resolver.ts'
import { SessionRenewalService } from './sessions/session-renewal.service.ts'
import { KnownNetworks } from './sign-in/known-networks.ts'
import { KnownSignIns } from './sign-in/known-sign-ins.ts'
import { PasswordSignIn } from './sign-in/password-sign-in.ts'
import { Passwords } from './sign-in/passwords.ts'
import { SignInResolver } from './sign-in/sign-in.resolver.ts'
import { SignInService } from './sign-in/sign-in.service.ts'
import { Throttle } from './sign-in/throttle.ts'
import { STORAGE } from './storage.ts'
import { TokenRepository } from './token.repository.ts'
import { TokenService } from './token.service.ts'
import { SavedViewRepository } from './views/saved-view.repository.ts'
import { SavedViewResolver } from './views/saved-view.resolver.ts'
import { SavedViewService } from './views/saved-view.service.ts'

/** Creates the first administrator where no account exists, and logs its generated password once. */
async function welcomeFirstAdmin(
  accounts: AccountService,
  { email, password }: FirstAdmin,
): Promise<void> {
  const first = await accounts.createFirst({ email, role: 'admin', password: password ?? null })
  // To the terminal, not to the log, which is kept and read by others.
  if (first?.password)
    process.stdout.write(
      `\nThe first administrator: ${first.account.email}, password ${first.password}\nIt is shown only now. Change it with: npm run accounts -- password ${first.account.email}\n\n`,
    )
}

export { STORAGE }

interface Services {
  accounts: AccountService
  tokens: TokenService
  signIn: SignInService
  browsers: BrowserSessionService
  renewals: SessionRenewalService
  auditLog: AuditRepository
  networks: KnownNetworks
  views: SavedViewService
}

export interface TokenSettings {
  /** Default lifetime of API tokens. */
  apiTokenDays: number
  /** Lifetimes of browsers' sessions. */
  sessions: SessionLifetimes
}

/** Services of accounts, on one database. */
export const startAccountServices = (
  { pubSub, log, metrics, ...deps }: Omit<SubgraphDeps, 'jobs'>,
  { apiTokenDays, sessions }: TokenSettings,
): Promise<Services & { stop(): Promise<void> }> =>
  withReleasers(async (releasers) => {
    const orm = await startOrm({ ...ormOptions(deps), log, ...STORAGE })
    releasers.defer(() => closeOrm(orm))
    if (metrics) watchPool(metrics, 'accounts', orm.em)
    const known = new KnownSignIns(pubSub)
    releasers.defer(() => known.stop())
    const accounts = new AccountRepository(orm.em)
    const tokens = new TokenRepository(orm.em)
    const passwords = new Passwords()
    const networks = new KnownNetworks()
    const throttle = new Throttle(networks)
    const auditLog = new AuditRepository(orm.em)
    const browsers = new BrowserSessionService(
      new BrowserSessionRepository(orm.em),
      known,
      sessions,
    )
    const renewals = new SessionRenewalService(new SessionRenewalRepository(orm.em), known)
    return {
      accounts: new AccountService({ repository: accounts, passwords, known, throttle }),
      tokens: new TokenService({ tokens, accounts, known, defaultDays: apiTokenDays }),
      signIn: new SignInService({
        passwords: new PasswordSignIn(accounts, passwords, auditLog, log),
        throttle,
        tokens,
        browsers,
        known,
      }),
      browsers,
      renewals,
      auditLog,
      networks,
      views: new SavedViewService(new SavedViewRepository(orm.em)),
      stop: () => releasers.release(),
    }
  })

const resolversOf = ({
  accounts,
  tokens,
  signIn,
  browsers,
  renewals,
  auditLog,
  views,
}: Services) => [
  new AccountResolver(accounts, tokens),
  new SignInResolver(signIn, accounts),
  new BrowserSessionResolver(browsers),
  new SessionRenewalResolver(renewals),
  new AuditResolver(auditLog),
  new SavedViewResolver(views),
]

/** SDL that this subgraph publishes. Resolvers are only looked at, so they need no services. */
export const accountsSdl = (): Promise<string> => subgraphSdl(resolversOf({} as Services))

export interface AccountsSettings extends TokenSettings {
  /** The first administrator where users sign in; undefined where they do not. */
  firstAdmin: FirstAdmin | undefined
  auditRetentionDays: number
}

/** The subgraph of accounts, API tokens and sign-ins. It also keeps the audit log, which all subgraphs write. */
export const startAccounts = (
  deps: SubgraphDeps,
  { firstAdmin, auditRetentionDays, ...settings }: AccountsSettings,
): Promise<Subgraph> =>
  withReleasers(async (releasers) => {
    const services = await startAccountServices(deps, settings)
    releasers.defer(() => services.stop())
    await serveAuditRetention(services.auditLog, deps, auditRetentionDays)
    await services.networks.recall(services.auditLog)
    if (firstAdmin) await welcomeFirstAdmin(services.accounts, firstAdmin)
    const schema = await buildSubgraph({ resolvers: resolversOf(services) })
    return { schema, stop: () => releasers.release() }
  })
