import { call } from './call.ts'
import { command } from './command.ts'
import { graphql } from './graphql.ts'
import { http } from './http.ts'
import { parallel } from './parallel.ts'
import { scenario } from './scenario.ts'
import type { StepKind } from './step-kind.ts'
import { wait } from './wait.ts'

/** Every kind of step, by the key that a scenario writes. A new one is a file beside this one, and its name here. */
const KINDS: Readonly<Record<string, StepKind>> = {
  call,
  http,
  graphql,
  command,
  wait,
  parallel,
  scenario,
}

export const STEP_KINDS = new Map(Object.entries(KINDS))
export const STEP_KIND_NAMES = [...STEP_KINDS.keys()]
