import type { Assay } from '../assay.ts'

/** Asks the graph. @throws where it answers with an error */
export async function ask<Data>(
  { url }: Pick<Assay, 'url'>,
  query: string,
  variables: object = {},
  headers: Record<string, string> = {},
): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await response.json()) as { data: Data; errors?: { message: string }[] } // as GraphQL answers
  if (errors?.[0]) throw new Error(errors[0].message)
  return data
}

export const CREDENTIALS = { userId: 'ci', password: 'secret' }

/** Executes a scenario or suite. @returns the id of its result */
export async function execute(
  assay: Pick<Assay, 'url'>,
  contextId: string,
  wait = true,
): Promise<string> {
  const { execute: result } = await ask<{ execute: { id: string } }>(
    assay,
    'mutation Run($input: ExecuteInput!) { execute(input: $input) { id } }',
    { input: { contextId, wait, credentials: CREDENTIALS } },
  )
  return result.id
}
