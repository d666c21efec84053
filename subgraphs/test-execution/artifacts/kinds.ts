import type { ArtifactKind } from './artifact.kind.ts'
import { CHANNEL } from './channel/channel.kind.ts'
import { COMPONENT } from './component/component.kind.ts'
import { ENVIRONMENT } from './environment/environment.kind.ts'
import { RECEIVER } from './receiver/receiver.kind.ts'
import { RULE } from './rule/rule.kind.ts'
import { SCHEDULE } from './schedule/schedule.kind.ts'
import { SILENCE } from './silence/silence.kind.ts'
import { SUITE } from './suite/suite.kind.ts'
import { TESTCASE } from './testcase/testcase.kind.ts'
import { TRIGGER } from './trigger/trigger.kind.ts'

/** Every kind of artifact, each behind those it refers to. A new one is a folder beside these, and a line here. */
export const KINDS: readonly ArtifactKind[] = [
  ENVIRONMENT,
  COMPONENT,
  TESTCASE,
  SUITE,
  CHANNEL,
  RULE,
  SILENCE,
  RECEIVER,
  SCHEDULE,
  TRIGGER,
]
