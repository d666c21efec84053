import { readCurl } from './curl.ts'
import type { RequestStep } from './http-request.ts'
import { readOpenapi } from './openapi.ts'

/** Requests as steps of a scenario. */
export interface Requests {
  /** Name of them as a whole. */
  name: string
  /** Address that their paths are below; null where the text names none. */
  baseUrl: string | null
  steps: RequestStep['step'][]
  /** Names of the secrets that the steps take from the environment. */
  secrets: string[]
  /** True if they need the host credentials. */
  signsIn: boolean
}

/** Reads a command line of curl, or an OpenAPI 3 document. @throws AppError BAD_USER_INPUT */
export function readRequests(text: string): Requests {
  if (/^\s*\S*curl(\.exe)?\s/.test(text)) {
    const { step, secrets, origin, signsIn } = readCurl(text)
    return { name: step.id, baseUrl: origin, steps: [step], secrets: [...secrets], signsIn }
  }
  const { title, baseUrl, steps } = readOpenapi(text)
  const secrets = [...new Set(steps.flatMap((each) => each.secrets))]
  return { name: title, baseUrl, steps: steps.map(({ step }) => step), secrets, signsIn: false }
}
