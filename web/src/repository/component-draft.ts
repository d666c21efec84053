import type { ComponentDetailQuery } from '../graph/generated.ts'
import type { Stored } from './forms/use-draft.ts'
import type { Source } from './source-file.tsx'

export type Component = NonNullable<ComponentDetailQuery['component']>

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

export const draftOfComponent = (component: Component): Stored<ComponentDraft> => ({
  revision: component.revision,
  draft: {
    name: component.name,
    description: component.description ?? '',
    environment: component.environment?.id ?? '',
    language: component.language,
    sourceCode: component.sourceCode,
  },
})

/** What the form has at first: what is stored, or an earlier revision. */
export function startOf(component: Component, revision: number | undefined): ComponentDraft {
  const earlier = component.revisions.find((each) => each.revision === revision)
  if (!earlier) return draftOfComponent(component).draft
  const { language, sourceCode, environment } = earlier.attributes
  return {
    name: earlier.name,
    description: earlier.description ?? '',
    environment: typeof environment === 'string' ? environment : '',
    language: language === 'TYPESCRIPT' ? 'TYPESCRIPT' : 'JAVASCRIPT',
    sourceCode: String(sourceCode),
  }
}

/** What is sent for a draft. */
export const inputOfComponent = ({
  name,
  description,
  environment,
  language,
  sourceCode,
}: ComponentDraft) => ({
  name,
  description: description || null,
  environment: environment || null,
  language,
  sourceCode,
})
