import { create } from '../../artifacts.ts'
import { withSettings } from '../../configured.ts'
import { execute, readDetails } from '../../executions.ts'
import { inSection, product } from '../../row.ts'

export const isolation = inSection('TX', 'What the service does', [
  {
    id: 'TX-175',
    rule: 'The code of a component MUST reach no file, network, process or module of the machine.',
    check: async () => {
      const modules = ['fs', 'net', 'child_process', 'worker_threads', 'vm', 'v8', 'process']
      const component = await create('component', {
        sourceCode: `export const reach = async (names) =>
          (await Promise.allSettled(names.map((name) => import(name)))).map(({ status }) => status)`,
      })
      const expected = modules.map(() => 'rejected')
      const { id } = await create('testcase', {
        componentUnderTest: component.id,
        scenario: {
          steps: [
            {
              id: 'reach',
              call: { function: 'reach', args: [modules] },
              expect: [{ path: '$', assert: 'equals', value: expected }],
            },
          ],
        },
      })
      const { body } = await execute(`/testcase/${id}/execute?synchron=true`)
      expect(body).toMatchObject({ state: 'COMPLETED', validationFailures: [] })
    },
  },
  {
    id: 'TX-176',
    rule: 'GET /healthz MUST name every wall around component code, as one that stands or as one that is missing, with the reason.',
    check: async () => {
      const response = await fetch(new URL('/healthz', product().base))
      const { sandbox } = (await response.json()) as { sandbox: SandboxHealth }
      const missing = sandbox.missing.map(({ wall, reason }) => {
        expect(reason).not.toBe('')
        return wall
      })
      expect([...sandbox.walls, ...missing]).toEqual(
        expect.arrayContaining([
          ...['user namespace', 'mount namespace', 'network namespace', 'PID namespace'],
          ...['IPC namespace', 'UTS namespace', 'limits', 'no capabilities'],
          ...['no new privileges', 'system-call filter'],
        ]),
      )
    },
  },
  {
    id: 'TX-177',
    rule: 'With SANDBOX=strict the code of components MUST run behind every wall, or be an ERROR that names the wall that is missing.',
    check: () =>
      withSettings({ SANDBOX: 'strict' }, async () => {
        const response = await fetch(new URL('/healthz', product().base))
        const { sandbox } = (await response.json()) as { sandbox: SandboxHealth }
        expect(sandbox.mode).toBe('strict')
        const { body } = await execute('/testcase/loan-schedule/execute?synchron=true')
        const { log } = (await readDetails(body.id)).body
        if (sandbox.missing.length === 0) {
          expect(body.state).toBe('COMPLETED')
          expect(log).not.toContain('Code runs without')
        } else
          expect(body).toMatchObject({
            state: 'ERROR',
            message: expect.stringMatching(/strict mode: .* missing/),
          })
      }),
  },
])

interface SandboxHealth {
  mode: string
  walls: string[]
  missing: { wall: string; reason: string }[]
}
