import { type CallSettings, call } from './call.ts'
import type { StepKind } from './step-kind.ts'
import { type WaitSettings, wait } from './wait.ts'

/** The settings of every kind of step, under the key that a scenario writes. */
export interface StepSettings {
  call: CallSettings
  wait: WaitSettings
}

export type StepKindName = keyof StepSettings

/** Every kind of step. A new one is a file beside this one, a row here and a line above. */
export const STEP_KINDS: { [Name in StepKindName]: StepKind<StepSettings[Name]> } = { call, wait }

export const isStepKindName = (name: string): name is StepKindName =>
  Object.hasOwn(STEP_KINDS, name)

export const STEP_KIND_NAMES = Object.keys(STEP_KINDS).filter(isStepKindName)
