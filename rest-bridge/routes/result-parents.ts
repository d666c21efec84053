import { inPath, type Parameter } from '../documents/description.ts'

/** Whose results a row is about. */
export interface ResultParent {
  path: '' | `/${string}`
  /** Type of the results; null for any. */
  type: 'TEST' | 'SUITE' | null
  of: string
  parameters: readonly Parameter[]
}

export const anyParent = (of: string): ResultParent => ({
  path: '',
  type: null,
  of,
  parameters: [],
})

/** A scenario or a suite, which is named by the path. */
export const NAMED_PARENTS: readonly ResultParent[] = [
  {
    path: '/testcase/:id',
    type: 'TEST',
    of: 'a scenario',
    parameters: [inPath('id', 'Id of the scenario', 'loan-schedule')],
  },
  {
    path: '/suite/:id',
    type: 'SUITE',
    of: 'a suite',
    parameters: [inPath('id', 'Id of the suite', 'finance')],
  },
]
