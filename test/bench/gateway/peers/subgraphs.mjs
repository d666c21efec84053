// The subgraphs of a workload over HTTP. They answer what they were asked before from memory, so that they limit no gateway.
import { createServer } from 'node:http'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { graphql, parse } from 'graphql'
import { SUBGRAPHS } from './data.mjs'
import { PUBLIC } from './public.mjs'

const urls = {}
const services = process.env.WORKLOAD === 'public' ? PUBLIC : SUBGRAPHS
for (const [name, { sdl, resolvers }] of Object.entries(services)) {
  const schema = buildSubgraphSchema({ typeDefs: parse(sdl), resolvers })
  const answers = new Map()
  const answer = async (body) => {
    const { query, variables } = JSON.parse(body)
    const result = await graphql({ schema, source: query, variableValues: variables })
    const made = Buffer.from(JSON.stringify(result))
    answers.set(body, made)
    return made
  }
  const server = createServer(async (request, response) => {
    request.setEncoding('utf8')
    let body = ''
    for await (const chunk of request) body += chunk
    const made = answers.get(body) ?? (await answer(body))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': made.length })
    response.end(made)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  urls[name] = `http://127.0.0.1:${server.address().port}/graphql`
}
console.log(`ready ${JSON.stringify(urls)}`)
