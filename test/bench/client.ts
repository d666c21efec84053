/** Requests as clients send them, for one running product. */
export interface Client {
  graphql<Data>(query: string, variables?: object): Promise<Data>
  /** @throws unless the answer is a success */
  rest<Body>(method: string, path: string, init?: RequestInit): Promise<Body>
}

export function createClient(url: string): Client {
  async function call<Body>(path: string, init: RequestInit): Promise<Body> {
    const response = await fetch(url + path, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${init.method} ${path} answered ${response.status}: ${text}`)
    return JSON.parse(text) as Body
  }
  return {
    rest: (method, path, init = {}) => call(`/api${path}`, { method, ...init }),
    async graphql<Data>(query: string, variables: object = {}) {
      const { data, errors } = await call<{ data: Data; errors?: unknown }>('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      })
      if (errors) throw new Error(`The graph answered ${JSON.stringify(errors)}`)
      return data
    },
  }
}
