import type { ArtifactKind } from '../artifact.kind.ts'

/** Source code under test. */
export const COMPONENT: ArtifactKind = {
  name: 'component',
  label: 'component',
  idSpace: 'component',
  references: {},
  validate() {},
}
