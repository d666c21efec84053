import { Directive, Query, Resolver } from 'type-graphql'
import type { EffectiveSetting } from '../shared/settings/effective.ts'
import type { AuthMode } from '../shared/variables.ts'
import { VERSION } from '../shared/version.ts'
import { Server } from './server.type.ts'

/** How the process that serves clients is configured. */
export interface ServerFacts {
  authMode: AuthMode
  settings: readonly EffectiveSetting[]
}

/** What the process that serves clients knows of itself. */
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
