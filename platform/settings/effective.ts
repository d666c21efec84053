import { defaultOf, type Setting, standardOf } from './setting.ts'
import { TIERS, VARIABLES, type Variables } from './variables.ts'

export type Tier = keyof typeof TIERS

/** A setting with what holds here. */
export interface EffectiveSetting {
  name: string
  tier: Tier
  /** Null where nothing is set and the default is no constant, and for secrets. */
  value: string | null
  /** Markdown. */
  default: string
  isSecret: boolean
  /** True if the operator has set another value than the default. */
  isChanged: boolean
  /** Markdown. */
  meaning: string
}

/** The settings that a process has read, as administrators see them. */
export const effectiveSettings = <Name extends keyof Variables>(
  values: Pick<Variables, Name>,
  names: readonly Name[],
): EffectiveSetting[] =>
  [...new Set(names)].map((name) => {
    const setting: Setting = VARIABLES[name]
    const value: unknown = values[name]
    const isSecret = setting.isSecret === true
    const standard = standardOf(setting)
    return {
      name,
      tier: tierOf(name),
      value: value === undefined || isSecret ? null : String(value),
      default: defaultOf(setting),
      isSecret,
      isChanged: value !== standard,
      meaning: setting.meaning,
    }
  })

const tierOf = (name: string): Tier =>
  name in TIERS.everyday ? 'everyday' : name in TIERS.limits ? 'limits' : 'operators'
