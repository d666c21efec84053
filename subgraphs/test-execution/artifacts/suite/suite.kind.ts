import type { ArtifactKind } from '../artifact.kind.ts'
import { ENVIRONMENT } from '../environment/environment.kind.ts'
import { TESTCASE } from '../testcase/testcase.kind.ts'

/** Scenarios that run together. Shares its id space with them: `/execute/{id}` takes either. */
export const SUITE: ArtifactKind = {
  name: 'suite',
  typeName: 'Suite',
  idSpace: TESTCASE.idSpace,
  references: {
    testCases: TESTCASE,
    setup: TESTCASE,
    teardown: TESTCASE,
    environments: ENVIRONMENT,
  },
  properties: {
    testCases: { type: 'array', items: { type: 'string' }, maxItems: 10_000, default: [] },
    haltAtFailure: { type: 'boolean', default: false },
    maxParallel: { type: 'integer', minimum: 1, maximum: 100, default: 1 },
    setup: { type: 'string' },
    teardown: { type: 'string' },
    environments: { type: 'array', items: { type: 'string' }, maxItems: 20, default: [] },
  },
  required: [],
}
