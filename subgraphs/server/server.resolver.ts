import { Directive, Query, Resolver } from 'type-graphql'
import { VERSION } from '../../platform/process/version.ts'
import type { EffectiveSetting } from '../../platform/settings/effective.ts'
import type { AuthMode } from '../../platform/settings/variables.ts'
import { Server } from './server.type.ts'

/** Configuration of the process that serves clients. */
export interface ServerFacts {
  authMode: AuthMode
  settings: readonly EffectiveSetting[]
}

/** Facts about the process that serves clients. */
@Resolver(() => Server)
export class ServerResolver {
  constructor(private readonly facts: ServerFacts) {}

  @Directive('@shareable')
  @Query(() => Server, { description: 'Assay as it runs here.' })
  server(): Server {
    const { authMode, settings } = this.facts
    return {
      version: VERSION,
      authMode,
      settings: settings.filter(({ tier }) => tier !== 'limits'),
      limits: settings.filter(({ tier }) => tier === 'limits'),
    }
  }
}
