import type { ArtifactService } from './artifact.service.ts'

/** Source in which executions and checks find artifacts: the store, or what a caller gives, over the store. */
export type ArtifactSource = Pick<ArtifactService, 'find' | 'sealedSecrets'>
