import { missing } from '../../platform/settings/env.ts'
import type { Variables } from '../../platform/settings/variables.ts'

export const MCP_VARIABLES = [
  'MCP',
  'MCP_WRITE',
  'MCP_MAX_CALLS',
  'MCP_TOOL_SECONDS',
  'MCP_MAX_RESULT',
] as const

export const mcpSettings = (given: Pick<Variables, (typeof MCP_VARIABLES)[number]>) => ({
  isOn: given.MCP === 'on',
  /** True if tools may change something. */
  writes: given.MCP_WRITE === 'on',
  maxCalls: given.MCP_MAX_CALLS,
  toolSeconds: given.MCP_TOOL_SECONDS,
  maxResult: given.MCP_MAX_RESULT,
})

export type McpSettings = ReturnType<typeof mcpSettings>

/** The tools over a supergraph of others are the documents of its operator. */
export const foreignMcpFaults = (given: Pick<Variables, 'MCP' | 'TRUSTED_DOCUMENTS'>): string[] =>
  given.MCP === 'on' ? missing(given, ['TRUSTED_DOCUMENTS'], 'with MCP=on and SUPERGRAPH') : []
