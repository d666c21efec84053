import type { Coverage } from '../../formats/coverage/reports.ts'
import { JsonPieces, listPieces, objectPieces, textPieces } from '../../formats/json/pieces.ts'
import {
  SIMPLE_COVERAGE_KEYS,
  type SimpleResultData,
  simpleResultInPieces,
  simpleResultText,
  VALIDATION_FAILURE_KEYS,
} from '../../formats/simple-result.ts'
import { ok } from '../answers.ts'
import type { RestResponse } from '../route.ts'

const OWN_FIELDS = `id type contextId state started ended message executedBy useCodeCoverage
  validationFailures { ${VALIDATION_FAILURE_KEYS.join(' ')} }
  codeCoverage { ${SIMPLE_COVERAGE_KEYS.join(' ')} }`

/** GraphQL fields of a simple result: its own, those of the members of a suite, and those of tests that they reported. */
export const SIMPLE_RESULT = `${OWN_FIELDS}
  testCaseResults { ${OWN_FIELDS} testCaseResults { ${OWN_FIELDS} } }`

/** GraphQL fields of a detailed result, besides the report in the format that is asked for. */
export const DETAILED_RESULT = `${SIMPLE_RESULT} log
  codeCoverage { level tags sourceCode hitLines untouchedLines executionCount }`

/** Coverage of a component in a detailed result. */
interface CoverageData extends Coverage {
  sourceCode?: string | null
}

/** Data of the fields above; without lines in a simple result. */
export interface ResultData extends SimpleResultData {
  codeCoverage: readonly (SimpleResultData['codeCoverage'][number] & CoverageData)[]
  report?: string | null
  log?: string | null
}

/** The simple result, in pieces. */
export const resultAnswer = (data: ResultData): RestResponse => ({
  ...ok(undefined),
  pieces: simpleResultText(data),
})

/** A detailed result, in pieces: the simple one with the whole coverage, the report and the log; absent fields are "". */
export const detailedAnswer = (data: ResultData): RestResponse => ({
  ...ok(undefined),
  pieces: objectPieces({
    ...simpleResultInPieces({ ...data, codeCoverage: [] }),
    codeCoverage: new JsonPieces(listPieces(data.codeCoverage, coverageText)),
    report: new JsonPieces(textPieces(data.report ?? '')),
    log: new JsonPieces(textPieces(data.log ?? '')),
  }),
})

/** The source is null for readers who may not see components. */
function* coverageText(coverage: CoverageData): Iterable<string> {
  yield JSON.stringify({ ...coverage, sourceCode: coverage.sourceCode ?? '' })
}
