/**
 * Why a request to the issuer failed, for the log: the error code and description that the issuer sent
 * (RFC 6749, 4.1.2.1 and 5.2) and the cause, such as a refused connection. Bodies are left out: they may hold tokens.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { error: code, error_description: description, cause } = error as Partial<ProviderError>
  return [error.message, code, description, causeOf(cause)].filter(Boolean).join(': ')
}

/** Members that openid-client adds to an error where the issuer sent one. */
interface ProviderError {
  error: string
  error_description: string
  cause: unknown
}

function causeOf(cause: unknown): string | undefined {
  if (cause instanceof Response) return `HTTP status ${cause.status}`
  if (!(cause instanceof Error)) return undefined
  // With several addresses of a host, Node gives the message of none.
  return cause.message || String((cause as NodeJS.ErrnoException).code)
}
