import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import express from 'express'
import type { ExecutionResult } from 'graphql'
import { createRestBridge } from '../../../../rest-bridge/index.ts'
import { parseYaml } from '../../../../schema/yaml.ts'

/** The bridge on a port of its own, in front of a graph that a test plays. */
export interface ServedBridge {
  /** Such as http://127.0.0.1:4000/api. */
  base: string
  /** What the graph was asked, in order. */
  asked: { operation: string; variables: Record<string, unknown> }[]
  /** Sends bytes as they are, and reads until the connection ends. */
  raw(bytes: string): Promise<string>
  stop(): Promise<void>
}

export async function serveBridge(
  answer: (operation: string) => ExecutionResult,
  corsOrigins: readonly string[] = [],
): Promise<ServedBridge> {
  const asked: ServedBridge['asked'] = []
  const bridge = createRestBridge('/api', {
    corsOrigins,
    challenge: 'Basic',
    admit: () => {},
    async execute(operation, variables) {
      asked.push({ operation, variables })
      return answer(operation)
    },
    callerOf: () => ({ requestId: 'request-1' }),
    addressOf: () => '127.0.0.1',
    callerKey: () => '',
    readYaml: async (text) => parseYaml(text, 'The request body'),
    onInternalError: (error) => {
      throw error
    },
  })
  const app = express().use(bridge.others)
  const server = createServer((request, response) => {
    if (!bridge.answer(request, response)) app(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    base: `http://127.0.0.1:${port}/api`,
    asked,
    async raw(bytes) {
      const socket = connect(port, '127.0.0.1')
      socket.write(bytes, 'latin1')
      let text = ''
      for await (const chunk of socket.setEncoding('latin1')) text += chunk
      return text
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
