import { type Result, scenariosOf } from './result.ts'

/** Annotations of one step that GitHub shows at most. */
const MAX_ANNOTATIONS = 10

/**
 * Annotation of a pull request in GitHub Actions for each failure.
 * @param files id of a scenario → the file that holds it
 */
export function annotationsOf(result: Result, files: ReadonlyMap<string, string>): string[] {
  return scenariosOf(result)
    .filter(({ state }) => state === 'FAILED' || state === 'ERROR')
    .flatMap(({ contextId, message, validationFailures }) => {
      const file = files.get(contextId)
      const place = file === undefined ? '' : `file=${property(file)},line=1,`
      const failures = validationFailures.map((each) => ({
        title: `${contextId}, step ${each.stepId}`,
        text: each.message,
      }))
      const whole = { title: contextId, text: message || 'It did not succeed' }
      return (failures.length > 0 ? failures : [whole]).map(
        ({ title, text }) => `::error ${place}title=${property(title)}::${data(text)}`,
      )
    })
    .slice(0, MAX_ANNOTATIONS)
}

const data = (text: string): string =>
  text.replace(
    /[%\r\n]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )

const property = (text: string): string =>
  data(text).replace(/[:,]/g, (sign) => (sign === ':' ? '%3A' : '%2C'))
