const CURL = /^\s*\S*curl(\.exe)?\s/
const OPENAPI = /^\s*["']?openapi["']?\s*:|"openapi"\s*:/m

/** True for a command line of curl, and for an OpenAPI document. */
export const isRequestText = (text: string): boolean =>
  CURL.test(text) || (!/^\s*</.test(text) && OPENAPI.test(text))
