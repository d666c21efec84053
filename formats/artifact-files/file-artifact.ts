/** What an artifact file describes, ready to be applied. */
export interface FileArtifact extends Record<string, unknown> {
  kind: string
  id: string
}
