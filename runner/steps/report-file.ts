import { COVERAGE_FORMATS } from '../../formats/coverage/coverage-formats.ts'
import { PATH_BELOW } from './path-below.ts'

const FORMATS = ['junit', ...COVERAGE_FORMATS] as const

export type ReportFormat = (typeof FORMATS)[number]

/** Report that a command writes for us to read. */
export interface ReportFile {
  format: ReportFormat
  /** Files below the folder of the execution; `*` and `**` stand for any names. */
  path: string
  /** Zone of times without one; UTC if absent. */
  timeZone?: string
  /** Tests of one name are tries of one, in a suite or in several files. */
  reruns?: boolean
}

/** JSON Schema of a list of them. */
export const REPORT_FILES = {
  type: 'array',
  maxItems: 100,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['format', 'path'],
    properties: {
      format: { enum: FORMATS },
      path: {
        type: 'string',
        minLength: 1,
        maxLength: 1_000,
        pattern: PATH_BELOW,
      },
      timeZone: {
        type: 'string',
        format: 'time-zone',
        description: 'Zone of times without one, such as Europe/Berlin or +09:00; UTC if absent.',
      },
      reruns: {
        type: 'boolean',
        description:
          'Tests of one name, in a suite of JUnit XML or in several files, are tries of one.',
      },
    },
  },
}
