import type { ComponentDetailQuery, RevisionFragment } from '../graph/generated.ts'
import type { Source } from './source-file.tsx'

export type Component = NonNullable<ComponentDetailQuery['artifact']>

/** A component as its form has it. */
export interface ComponentDraft extends Source {
  name: string
  description: string
  environment: string
}

export const NEW_COMPONENT: ComponentDraft = {
  name: '',
  description: '',
  environment: '',
  language: 'JAVASCRIPT',
  sourceCode: `// Scenarios call the functions that this module exports; they take and return JSON.
export function double(number) {
  return 2 * number
}
`,
}

export const draftOfComponent = (component: Component): ComponentDraft => ({
  name: component.name,
  description: component.description ?? '',
  environment: component.environment?.id ?? '',
  language: component.language,
  sourceCode: component.sourceCode,
})

export function draftOfEarlier(
  _component: Component,
  { name, description, attributes }: RevisionFragment,
): ComponentDraft {
  const { language, sourceCode, environment } = attributes
  return {
    name,
    description: description ?? '',
    environment: typeof environment === 'string' ? environment : '',
    language: language === 'TYPESCRIPT' ? 'TYPESCRIPT' : 'JAVASCRIPT',
    sourceCode: String(sourceCode),
  }
}

/** Input for a draft. */
export const inputOfComponent = (draft: ComponentDraft) => ({
  ...draft,
  description: draft.description || null,
  environment: draft.environment || null,
})
