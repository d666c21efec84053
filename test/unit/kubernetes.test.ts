import { readdirSync, readFileSync } from 'node:fs'
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Namespace } from 'kubernetes-models/v1/Namespace'
import { Service } from 'kubernetes-models/v1/Service'
import { parse, parseAllDocuments } from 'yaml'
import { fileVariableOf } from '../../platform/settings/setting.ts'
import { VARIABLES } from '../../platform/settings/variables.ts'
import { faultsOfTypes, type Typed } from '../support/excess-fields.ts'

const FOLDER = new URL('../../deploy/kubernetes/', import.meta.url)
const textOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8')
const names = readdirSync(FOLDER).filter((name) => name !== 'kustomization.yaml')

/** Parts of a manifest that this test uses. */
interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
}

const manifests = names.flatMap((name) =>
  parseAllDocuments(textOf(name)).map((document) => document.toJS() as Manifest),
)
const MODELS = {
  Deployment,
  HorizontalPodAutoscaler,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  ScaledObject,
  Service,
}
type Kind = keyof typeof MODELS
const validate = (manifest: Manifest) => {
  const Model = MODELS[manifest.kind as Kind] as new (data: object) => { validate(): void }
  new Model(manifest).validate()
}
const typed = (value: Manifest): Typed => {
  const { apiVersion, kind } = value
  const library = apiVersion.startsWith('keda.sh/')
    ? '@kubernetes-models/keda'
    : 'kubernetes-models'
  return { value, type: `I${kind}`, module: `${library}/${apiVersion}/${kind}` }
}
const all = <Kind>(kind: string) => manifests.filter((each) => each.kind === kind) as Kind[]

interface Pod {
  automountServiceAccountToken: boolean
  terminationGracePeriodSeconds: number
  securityContext: Record<string, unknown>
  containers: [
    {
      image: string
      env: { name: string; value: string }[]
      ports: { name: string; containerPort: number }[]
      resources: unknown
      securityContext: unknown
      readinessProbe: unknown
      livenessProbe: unknown
      startupProbe: unknown
    },
  ]
  volumes: { name: string; secret?: { items: { key: string; path: string }[] } }[]
}
const pods = all<Manifest & { spec: { strategy: object; template: { spec: Pod } } }>(
  'Deployment',
).map(({ metadata, spec }) => ({
  name: metadata.name,
  strategy: spec.strategy,
  pod: spec.template.spec,
  container: spec.template.spec.containers[0],
}))

test('kustomize takes every file', () => {
  expect([...parse(textOf('kustomization.yaml')).resources].sort()).toEqual(names.sort())
})

test('kustomize names the image of this version', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', FOLDER), 'utf8'))
  expect(parse(textOf('kustomization.yaml')).images).toEqual([
    { name: 'assay', newName: expect.any(String), newTag: version },
  ])
})

test('each manifest fits the schema of its kind in the API', () => {
  for (const manifest of manifests) expect(() => validate(manifest)).not.toThrow()
  const [first] = all<Manifest & { spec: object }>('Deployment')
  const wrong = { ...first, spec: { ...first?.spec, replicas: 'two' } }
  expect(() => validate(wrong as never)).toThrow('replicas must be integer')
})

test('no manifest has a field that its kind does not have', () => {
  const [first] = all<Manifest & { spec: object }>('Service')
  const misspelt = { ...first, spec: { ...first?.spec, portz: [] } }
  expect(faultsOfTypes([...manifests, misspelt as never].map(typed))).toEqual([
    expect.stringContaining('portz'),
  ])
})

test('every pod is restricted, but for what the walls of the worker need', () => {
  for (const { name, pod, container } of pods) {
    const { seccompProfile, appArmorProfile, ...rest } = pod.securityContext
    expect([name, rest]).toEqual([
      name,
      { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
    ])
    const isWorker = name === 'worker'
    expect([name, appArmorProfile]).toEqual([name, isWorker ? { type: 'Unconfined' } : undefined])
    expect([name, seccompProfile]).toEqual([
      name,
      isWorker
        ? { type: 'Localhost', localhostProfile: 'profiles/assay-worker.json' }
        : { type: 'RuntimeDefault' },
    ])
    expect([name, pod.automountServiceAccountToken, container.securityContext]).toEqual([
      ...[name, false],
      {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    ])
  }
})

test('every pod has probes and bounds; a server ends after the balancers have forgotten it', () => {
  for (const { name, pod, container, strategy } of pods) {
    expect([name, container]).toEqual([
      name,
      expect.objectContaining({
        readinessProbe: expect.any(Object),
        livenessProbe: expect.any(Object),
        startupProbe: expect.any(Object),
        resources: {
          requests: { cpu: expect.anything(), memory: expect.any(String) },
          limits: { cpu: expect.anything(), memory: expect.any(String) },
        },
      }),
    ])
    expect([name, strategy]).toEqual([name, { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }])
    const delay = container.env.find((each) => each.name === 'SHUTDOWN_DELAY_SECONDS')
    const waits = Number(delay?.value ?? 0)
    expect([name, waits]).toEqual([name, name === 'worker' ? 0 : 10])
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(waits + 40)
  }
})

test('pods are asked for nothing but settings, and for secrets by file', () => {
  const settings = Object.entries(VARIABLES).map(([name, { isSecret }]) =>
    isSecret ? fileVariableOf(name) : name,
  )
  for (const { name, pod, container } of pods) {
    const unknown = container.env.filter((each) => !settings.includes(each.name))
    expect([name, unknown]).toEqual([name, []])
    const asked = container.env.map(({ value }) => value).filter((value) => /^\/run/.test(value))
    const mounted = pod.volumes.flatMap(({ secret }) => secret?.items ?? [])
    expect([name, mounted.map(({ path }) => `/run/secrets/${path}`)]).toEqual([name, asked])
  }
})

test('every server has a service on its port, and every part a disruption budget and two pods at least', () => {
  type Listening = Manifest & { spec: { ports: [{ port: number }] } }
  expect(
    all<Listening>('Service').map((each) => [each.metadata.name, each.spec.ports[0].port]),
  ).toEqual(
    pods
      .filter(({ name }) => name !== 'worker')
      .map(({ name, container }) => [name, container.ports[0]?.containerPort]),
  )
  const parts = pods.map(({ name }) => name).sort()
  const budgets = all<Manifest>('PodDisruptionBudget').map(({ metadata }) => metadata.name)
  expect(budgets.sort()).toEqual(parts)
  type Sized = Manifest & {
    spec: Partial<Record<'replicas' | 'minReplicas' | 'minReplicaCount', number>>
  }
  const least = [
    ...all<Sized>('Deployment'),
    ...all<Sized>('HorizontalPodAutoscaler'),
    ...all<Sized>('ScaledObject'),
  ].flatMap(({ metadata, spec }) => {
    const count = spec.replicas ?? spec.minReplicas ?? spec.minReplicaCount
    return count === undefined ? [] : [[metadata.name, count]]
  })
  expect(least.sort()).toEqual(parts.map((name) => [name, 2]))
})

test('workers follow the age of the queue, by a metric that there is', () => {
  type Scaled = Manifest & { spec: { triggers: { metadata: { query: string } }[] } }
  const queries = all<Scaled>('ScaledObject').flatMap(({ spec }) =>
    spec.triggers.map(({ metadata }) => metadata.query),
  )
  const metrics = queries.map((query) => /assay_\w+/.exec(query)?.[0])
  expect(metrics).toEqual(['assay_queue_oldest_job_age_seconds', 'assay_worker_slots_used'])
  const known = readFileSync(new URL('../../docs/reference/metrics.md', FOLDER), 'utf8')
  for (const metric of metrics) expect(known).toContain(`\`${metric}\``)
})

test('a pod reaches and is reached by what a policy names, and workers reach no part of Assay', () => {
  type Policy = Manifest & { spec: { podSelector: object; ingress?: unknown; egress: unknown } }
  const policies = all<Policy>('NetworkPolicy')
  const everyPod = policies.filter(({ spec }) => Object.keys(spec.podSelector).length === 0)
  expect(everyPod.map(({ metadata, spec }) => [metadata.namespace, spec.ingress])).toEqual([
    ['assay', undefined],
    ['assay-workers', undefined],
  ])
  const others = policies.filter((policy) => !everyPod.includes(policy))
  expect(others.map(({ metadata }) => metadata.name).sort()).toEqual(
    pods.map(({ name }) => name).sort(),
  )
  for (const { metadata, spec } of others)
    if (metadata.namespace === 'assay')
      expect(JSON.stringify(spec.ingress)).not.toContain('assay-workers')
})
