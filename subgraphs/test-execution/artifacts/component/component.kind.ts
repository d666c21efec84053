import type { ArtifactKind } from '../artifact.kind.ts'

/** Source code under test. */
export const COMPONENT: ArtifactKind = {
  name: 'component',
  label: 'component',
  idSpace: 'component',
  references: {},
  properties: {
    language: { type: 'string', enum: ['JAVASCRIPT', 'TYPESCRIPT'], default: 'JAVASCRIPT' },
    sourceCode: { type: 'string' },
  },
  required: ['sourceCode'],
}
