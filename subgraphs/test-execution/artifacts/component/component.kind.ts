import type { ArtifactKind } from '../artifact.kind.ts'
import { ENVIRONMENT } from '../environment/environment.kind.ts'

/** Source code under test. */
export const COMPONENT: ArtifactKind = {
  name: 'component',
  typeName: 'Component',
  idSpace: 'component',
  references: { environment: ENVIRONMENT },
  properties: {
    language: { type: 'string', enum: ['JAVASCRIPT', 'TYPESCRIPT'], default: 'JAVASCRIPT' },
    sourceCode: { type: 'string' },
    environment: { type: 'string' },
  },
  required: ['sourceCode'],
}
