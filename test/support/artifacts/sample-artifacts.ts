import { type RunningArtifacts, SCENARIO } from './running-artifacts.ts'

/** A few artifacts of every kind, for lists to find. */
export async function createSamples({ create }: RunningArtifacts): Promise<void> {
  await create('Environment', {
    id: 'stage',
    name: 'Stage',
    variables: { zone: 'north', port: 8080, tls: true },
    secrets: [{ name: 'TOKEN', value: 'xyzzy' }],
  })
  await create('Environment', { id: 'dev', name: 'Dev_1', runners: ['CALL'] })
  await create('Component', { id: 'c1', name: 'First', sourceCode: 'export {}' })
  await create('Component', { id: 'c2', name: 'first', sourceCode: '', description: 'two * two' })
  await create('Component', {
    id: 'c3',
    name: '100 %',
    sourceCode: '',
    description: 'back\\slash',
    language: 'TYPESCRIPT',
    environment: 'stage',
  })
  const steps = [
    { id: 'one', optional: true, wait: { ms: 1 } },
    { id: 'two', wait: { ms: 2 } },
  ]
  await create('TestCase', {
    id: 't1',
    name: 'A',
    componentUnderTest: 'c1',
    tags: ['smoke', 'fast'],
    scenario: { steps, timeoutMs: 5000 },
  })
  await create('TestCase', {
    id: 't2',
    name: 'B',
    componentUnderTest: 'c1',
    tags: ['slow'],
    useCodeCoverage: false,
    environment: 'stage',
    scenario: SCENARIO,
  })
  await create('TestCase', { id: 't3', name: 'C', componentUnderTest: 'c2', scenario: SCENARIO })
  await create('Suite', { id: 's1', name: 'S', testCases: ['t2', 't1'], maxParallel: 3 })
  await create('Suite', { id: 's2', name: 'T', testCases: ['t1'] })
}
