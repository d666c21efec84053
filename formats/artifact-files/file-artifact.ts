/** Artifact of a file, ready to be applied. */
export interface FileArtifact extends Record<string, unknown> {
  kind: string
  id: string
}
