import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readConfig } from '@septet/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

import { rulesIn, rulesOf } from '../act/rules-in.ts'
import { CHART, manifestsIn, openHelm, type Helm, type Manifest } from './chart.ts'
import { faultsOf } from './faults-of.ts'

let helm: Helm
beforeAll(async () => {
  helm = await openHelm()
})
afterAll(() => helm.close())

const LEAST = { image: 'registry.example.com/septet:0.1.0', admin: 'platform@example.com' }
const CLASSES = ['reclaimIdle', 'repartition', 'removeNode', 'rightSize', 'share', 'appointment', 'dra'] as const
const EXTERNAL = { ...LEAST, database: { external: true }, secret: { name: 'septet-settings' } }
const CASES = {
  'the least that is needed': LEAST,
  'the demo cluster and settings by name': { ...LEAST, demo: true, settings: { SEPTET_LOG: 'info' } },
  'no GPU Operator': { ...LEAST, gpuOperator: { namespace: '' }, actor: { repartition: true } },
  'a database of its own, and pods that only answer': {
    ...EXTERNAL,
    answering: { replicas: 3 },
    metrics: {
      prometheusUrl: 'http://prometheus.monitoring:9090',
      tokenSecret: 'prometheus',
      tenant: 'gpu',
      matchers: 'cluster="prod"',
    },
  },
  'several pods that watch': { ...EXTERNAL, watching: { replicas: 2 } },
  'a Secret that is filled from outside': {
    ...LEAST,
    secret: {
      external: {
        secretStoreRef: { kind: 'ClusterSecretStore', name: 'vault' },
        dataFrom: [{ extract: { key: 'a' } }],
      },
    },
  },
  'everything at once': {
    ...EXTERNAL,
    publicUrl: 'https://septet.example.com:8443',
    imagePullSecrets: [{ name: 'registry' }],
    answering: { replicas: 2 },
    admission: true,
    serviceAccounts: ['cluster/ml/agent', 'cluster/ml/doer=operator:ml+speech'],
    actorNamespaces: ['team-a'],
    actor: Object.fromEntries(CLASSES.map((name) => [name, true])),
    metrics: {
      prometheusUrl: 'https://mimir.example.com/prometheus',
      headers: { 'X-Team': 'gpu', 'X-Reason': 'a b: c' },
      certificateSecret: 'mimir-client',
      limits: { queries: 2, seconds: 20 },
      exporterTargets: ['http://10.0.0.7:9400/metrics', 'http://10.0.0.8:9400/metrics'],
    },
    ingress: { enabled: true, className: 'nginx', annotations: { a: 'b' }, tlsSecret: 'septet-tls' },
    httpRoute: { parentRefs: [{ name: 'edge', namespace: 'gateways' }] },
    networkPolicy: {
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'gateways' } } }],
      egress: [{ ports: [{ port: 443 }] }],
    },
    monitoring: { serviceMonitor: true, tokenSecret: 't', rules: true, dashboards: true, labels: { release: 'kps' } },
    caConfigMap: 'authorities',
    scheduling: { nodeSelector: { pool: 'system' }, tolerations: [{ key: 'a', operator: 'Exists' }] },
  },
} as const

const PodSchema = z.object({
  spec: z.looseObject({
    automountServiceAccountToken: z.boolean(),
    enableServiceLinks: z.boolean().optional(),
    serviceAccountName: z.string().optional(),
    securityContext: z.looseObject({}),
    containers: z.array(
      z.looseObject({
        securityContext: z.looseObject({}),
        env: z
          .array(z.object({ name: z.string(), value: z.string().optional(), valueFrom: z.unknown().optional() }))
          .default([]),
      }),
    ),
  }),
})
const WorkloadSchema = z.object({ spec: z.looseObject({ template: PodSchema }) })
const podsIn = (manifests: readonly Manifest[]) =>
  manifests.flatMap((manifest) => {
    if (manifest.kind === 'Pod') return PodSchema.parse(manifest).spec
    return manifest.kind === 'Deployment' ? WorkloadSchema.parse(manifest).spec.template.spec : []
  })
const named = (manifests: readonly Manifest[], kind: string): Manifest[] => manifests.filter((one) => one.kind === kind)

describe.each(Object.entries(CASES))('with %s', (_, values) => {
  let manifests: Manifest[]
  beforeAll(() => {
    manifests = manifestsIn(helm.template(values))
  })

  test('helm finds nothing to complain of', () => {
    const { code, out } = helm.run(['lint', '--strict', CHART, '--namespace', 'septet'], values)
    expect([code, out]).toEqual([0, expect.stringContaining('0 chart(s) failed')])
  })

  test('every object is as Kubernetes and the operators have it, and there are no two of one name', async () => {
    expect((await Promise.all(manifests.map(faultsOf))).flat()).toEqual([])
    const names = manifests.map(({ kind, metadata: { name, namespace } }) => `${kind} ${namespace ?? ''}/${name}`)
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
  })

  test('every pod is restricted, and has a token of the API server only where it watches or reviews tokens', () => {
    for (const pod of podsIn(manifests)) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(pod.containers.map(({ securityContext }) => securityContext)).toEqual([
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      ])
      expect(pod.automountServiceAccountToken).toBe(pod.serviceAccountName !== undefined)
    }
    for (const account of named(manifests, 'ServiceAccount')) {
      expect(account).toMatchObject({ automountServiceAccountToken: false })
    }
  })

  test('Septet starts with what its pods are given', () => {
    const deployments = podsIn(named(manifests, 'Deployment'))
    expect(deployments.length).toBeGreaterThan(0)
    const secret = { SEPTET_SETUP_SECRET: 'of sixteen and more', DATABASE_URL: 'postgres://septet@db/septet' }
    for (const { containers, enableServiceLinks } of deployments) {
      const given = Object.fromEntries((containers[0]?.env ?? []).map(({ name, value = 'token' }) => [name, value]))
      const environment = { SEPTET_HOST: '0.0.0.0', ...secret, ...given }
      expect(readConfig(environment, '/septet')).toMatchObject({ host: '0.0.0.0' })
      // What Kubernetes would add for a Service of that name.
      const linked = { SEPTET_SERVICE_HOST: '10.0.0.1', SEPTET_PORT: 'tcp://10.0.0.1:80' }
      expect(() => readConfig({ ...environment, ...linked }, '/septet')).toThrow('SEPTET_SERVICE_HOST')
      expect(enableServiceLinks).toBe(false)
    }
  })
})

const Expressions = z.array(z.looseObject({ expression: z.string() }))
const PolicySchema = z.object({
  spec: z.looseObject({ matchConditions: Expressions, variables: Expressions, validations: Expressions }),
})

const KEBAB = (name: string): string => name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)
const READER = ['reader-clusterrole.yaml', 'reader-operator-role.yaml']
const texts = (rules: ReturnType<typeof rulesOf>): string[] =>
  rules
    .map(({ apiGroups, resources, verbs, ...rest }) => JSON.stringify({ apiGroups, resources, verbs, ...rest }))
    .toSorted()

describe('the rights of the chart', () => {
  test('are to read, and nothing else, unless a switch says more', () =>
    expect(texts(rulesOf(manifestsIn(helm.template(LEAST))))).toEqual(texts(rulesIn(READER))))

  test.each([...CLASSES.map((name) => [name]), [...CLASSES]].map((classes) => ({ classes })))(
    'with $classes are those of its files in deploy/, no more and no less',
    ({ classes }) => {
      const actor = Object.fromEntries(classes.map((name) => [name, true]))
      const files = [...READER, 'actor-base.yaml', ...classes.map((name) => `actor-${KEBAB(name)}.yaml`)]
      expect(texts(rulesOf(manifestsIn(helm.template({ ...LEAST, actor }))))).toEqual(texts(rulesIn(files)))
    },
  )

  test('with service accounts that sign in are to create token reviews as well, also for pods that only answer', () => {
    const values = { ...EXTERNAL, publicUrl: 'https://septet.example.com', serviceAccounts: ['cluster/ml/agent'] }
    const rights = (more: object) => texts(rulesOf(manifestsIn(helm.template({ ...values, ...more }))))
    expect(rights({})).toEqual(texts(rulesIn([...READER, 'token-review.yaml'])))
    const manifests = manifestsIn(helm.template({ ...values, answering: { replicas: 2 } }))
    expect(rights({ answering: { replicas: 2 } })).toEqual(rights({}))
    const bound = named(manifests, 'ClusterRoleBinding')
      .map((binding) => BindingSchema.parse(binding))
      .map(({ roleRef, subjects }) => [roleRef.name, subjects.map(({ name }) => name)])
    expect(bound).toEqual([
      ['septet-reader', ['septet-reader']],
      ['septet-token-review', ['septet-reader', 'septet-answering']],
    ])
  })

  test('are bounded by the policy where the cluster has such, with the namespaces and ConfigMaps of the release', () => {
    const maps = { mig: ['our-mig'], devicePlugin: ['our-sharing', 'time-slicing'] }
    const values = {
      ...LEAST,
      actor: { repartition: true, share: true },
      gpuOperator: { namespace: 'nvidia', configMaps: maps },
    }
    const has = ['--api-versions', 'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy']
    const manifests = manifestsIn(helm.template(values, 'gpu-tools', has))
    const [policy] = named(manifests, 'ValidatingAdmissionPolicy').map((each) => PolicySchema.parse(each).spec)
    const files = manifestsIn(readFileSync(join(CHART, 'actor-policy.yaml'), 'utf8'))
    const [shipped] = named(files, 'ValidatingAdmissionPolicy').map((each) => PolicySchema.parse(each).spec)
    expect(policy?.matchConditions.map(({ expression }) => expression)).toEqual([
      "request.userInfo.username == 'system:serviceaccount:gpu-tools:septet-actor'",
    ])
    expect(policy?.variables.slice(0, 3)).toEqual([
      { name: 'operator', expression: "'nvidia'" },
      { name: 'migMaps', expression: '["our-mig"]' },
      { name: 'pluginMaps', expression: '["our-sharing","time-slicing"]' },
    ])
    expect(policy?.variables.slice(3)).toEqual(shipped?.variables.slice(3))
    expect(policy?.validations).toEqual(shipped?.validations)
    expect(named(manifests, 'ValidatingAdmissionPolicyBinding')).toHaveLength(1)
    const writable = rulesOf(manifests).flatMap(({ namespace, resources, resourceNames }) =>
      namespace === 'nvidia' && resources.includes('configmaps') ? (resourceNames ?? []) : [],
    )
    expect(writable).toEqual([...maps.mig, ...maps.devicePlugin])
    for (const without of [
      helm.template(values),
      helm.template({ ...values, actorPolicy: false }, 'septet', has),
      helm.template(LEAST, 'septet', has),
    ])
      expect(without).not.toContain('ValidatingAdmissionPolicy')
  })

  test('are bound in the namespaces of the release and of the operator, to accounts that are there', () => {
    const actor = Object.fromEntries(CLASSES.map((name) => [name, true]))
    const values = { ...LEAST, actor, gpuOperator: { namespace: 'nvidia-gpu-operator' } }
    const text = helm.template(values, 'gpu-tools')
    const manifests = manifestsIn(text)
    expect(new Set(manifests.map(({ metadata }) => metadata.namespace))).toEqual(
      new Set([undefined, 'gpu-tools', 'kube-system', 'nvidia-gpu-operator']),
    )
    const accounts = named(manifests, 'ServiceAccount').map(({ metadata }) => metadata.name)
    const bindings = manifests.filter(({ kind }) => kind.endsWith('Binding'))
    expect(bindings).toHaveLength(2 + 1 + CLASSES.length + 3)
    for (const binding of bindings) {
      const { roleRef, subjects } = BindingSchema.parse(binding)
      const { namespace } = binding.metadata
      const role = named(manifests, roleRef.kind).find(({ metadata }) => metadata.name === roleRef.name)
      expect(role?.metadata.namespace).toBe(namespace)
      expect(role).toBeDefined()
      expect(subjects.map((subject) => subject.namespace)).toEqual(['gpu-tools'])
      expect(accounts).toEqual(expect.arrayContaining(subjects.map(({ name }) => name)))
    }
  })
})

const rolloutOf = (values: Readonly<Record<string, unknown>>) => {
  const manifests = manifestsIn(helm.template(values))
  const deployments = named(manifests, 'Deployment').map(({ spec }) => {
    const { replicas, strategy } = RolloutSchema.parse(spec)
    return [replicas, strategy.type]
  })
  const budgets = named(manifests, 'PodDisruptionBudget').map(({ metadata }) => metadata.name)
  return { deployments, budgets, volumes: named(manifests, 'PersistentVolumeClaim').length }
}

describe('pods are replaced', () => {
  test('one after the other where they have a database of their own, and at once where the volume is one', () => {
    expect(rolloutOf(LEAST)).toEqual({ deployments: [[1, 'Recreate']], budgets: [], volumes: 1 })
    expect(rolloutOf(EXTERNAL)).toEqual({ deployments: [[1, 'RollingUpdate']], budgets: [], volumes: 0 })
    expect(rolloutOf({ ...EXTERNAL, watching: { replicas: 3 }, answering: { replicas: 2 } })).toEqual({
      deployments: [
        [3, 'RollingUpdate'],
        [2, 'RollingUpdate'],
      ],
      budgets: ['septet-answering', 'septet'],
      volumes: 0,
    })
  })
})

const RolloutSchema = z.object({ replicas: z.number(), strategy: z.object({ type: z.string() }) })

const source = (metrics: object) => {
  const values = {
    ...EXTERNAL,
    answering: { replicas: 2 },
    metrics: { prometheusUrl: 'https://m.example.com', ...metrics },
  }
  const [watching, answering] = podsIn(named(manifestsIn(helm.template(values)), 'Deployment')).map(({ containers }) =>
    (containers[0]?.env ?? []).filter(({ name }) => name.startsWith('SEPTET_PROMETHEUS_')),
  )
  expect(answering).toEqual([])
  const given = Object.fromEntries((watching ?? []).map(({ name, value = `secret of ${name}` }) => [name, value]))
  const shown = { SEPTET_KUBECONFIG: 'in-cluster', ...given }
  return {
    source: readConfig(shown, '/septet').cluster?.prometheus,
    refs: watching?.flatMap(({ valueFrom }) => valueFrom ?? []),
  }
}

describe('the metrics engine is asked by who watches, and by nobody else', () => {
  test('with headers, a client certificate and limits', () =>
    expect(
      source({
        headers: { 'X-Team': 'gpu', 'X-Reason': 'a b: c' },
        certificateSecret: 'client',
        limits: { queries: 2, seconds: 20 },
      }),
    ).toEqual({
      source: {
        url: 'https://m.example.com',
        headers: { 'x-team': 'gpu', 'x-reason': 'a b: c' },
        tls: { cert: 'secret of SEPTET_PROMETHEUS_CERT', key: 'secret of SEPTET_PROMETHEUS_KEY' },
        limits: { atOnce: 2, secondsPerMinute: 20 },
      },
      refs: [
        { secretKeyRef: { name: 'client', key: 'tls.crt' } },
        { secretKeyRef: { name: 'client', key: 'tls.key' } },
      ],
    }))

  test('with requests that are signed for Amazon', () =>
    expect(source({ aws: { region: 'eu-west-1', secret: 'amp' } })).toEqual({
      source: {
        url: 'https://m.example.com',
        aws: {
          region: 'eu-west-1',
          keyId: 'secret of SEPTET_PROMETHEUS_AWS_KEY_ID',
          secret: 'secret of SEPTET_PROMETHEUS_AWS_SECRET',
        },
      },
      refs: [
        { secretKeyRef: { name: 'amp', key: 'AWS_ACCESS_KEY_ID' } },
        { secretKeyRef: { name: 'amp', key: 'AWS_SECRET_ACCESS_KEY' } },
      ],
    }))
})

test('stopping and resizing work can be allowed in some namespaces only', () => {
  const values = { ...LEAST, actor: { reclaimIdle: true, rightSize: true, share: true }, actorNamespaces: ['a', 'b'] }
  const bound = manifestsIn(helm.template(values))
    .filter(({ kind, metadata }) => kind.endsWith('Binding') && metadata.name.startsWith('septet-actor-'))
    .map((binding) => {
      const { roleRef } = BindingSchema.parse(binding)
      return `${roleRef.kind} ${roleRef.name} in ${binding.metadata.namespace ?? 'all'}`
    })
  expect(bound.toSorted()).toEqual([
    'ClusterRole septet-actor-reclaim-idle in a',
    'ClusterRole septet-actor-reclaim-idle in b',
    'ClusterRole septet-actor-right-size in a',
    'ClusterRole septet-actor-right-size in b',
    'ClusterRole septet-actor-share in all',
    'Role septet-actor-share in gpu-operator',
  ])
})

const BindingSchema = z.object({
  roleRef: z.object({ kind: z.string(), name: z.string() }),
  subjects: z.array(z.object({ name: z.string(), namespace: z.string() })),
})

test('an Ingress and an HTTPRoute take their host from the public address', () => {
  const manifests = manifestsIn(helm.template(CASES['everything at once']))
  expect(named(manifests, 'Ingress')[0]).toMatchObject({
    spec: {
      rules: [{ host: 'septet.example.com' }],
      tls: [{ hosts: ['septet.example.com'], secretName: 'septet-tls' }],
    },
  })
  expect(named(manifests, 'HTTPRoute')[0]).toMatchObject({ spec: { hostnames: ['septet.example.com'] } })
})

test('packaged as one file it makes the same', () => {
  const folder = mkdtempSync(join(tmpdir(), 'septet-package-'))
  try {
    expect(helm.run(['package', CHART, '--destination', folder]).code).toBe(0)
    const file = join(folder, 'septet-0.1.0.tgz')
    const { out } = helm.run(['template', 'septet', file, '--namespace', 'septet'], CASES['everything at once'])
    expect(out).toBe(helm.template(CASES['everything at once']))
    const names = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' })
    expect(names).toContain('septet/actor-base.yaml')
    expect(names).not.toMatch(/Dockerfile|install\.yaml|argocd/u)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('helm tells how to open it, how the admin signs up, and what is not measured', () => {
  const { code, out } = helm.run(['install', 'septet', CHART, '--namespace', 'gpu-tools', '--dry-run=client'], LEAST)
  const notes = out.slice(out.indexOf('NOTES:'))
  expect([code, notes]).toEqual([0, expect.stringContaining('in the namespace gpu-tools; it only reads.')])
  expect(notes).toContain('port-forward -n gpu-tools service/septet 7070:80')
  expect(notes).toContain('Sign up as platform@example.com')
  expect(notes).toContain('are not measured: set metrics.prometheusUrl')
})

/** Every value that the chart has, by its path, with what stands there. */
const leavesOf = (value: unknown, path = ''): (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, below]) => leavesOf(below, `${path}/${key}`))
    : [[path, value]]
const VALUES: unknown = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8'))

describe('what cannot work is refused before anything is installed', () => {
  test.each(leavesOf(VALUES).filter(([path]) => !path.includes('/resources/')))(
    'a value of another type at %s',
    (path, value) => {
      const keys = path.slice(1).split('/')
      const wrong: unknown = typeof value === 'number' ? 'text' : 7
      const values = {
        ...LEAST,
        ...z
          .record(z.string(), z.unknown())
          .parse(keys.reduceRight<unknown>((below, key) => ({ [key]: below }), wrong)),
      }
      const { code, err } = helm.run(['template', 'septet', CHART], values)
      expect([code, err]).toEqual([1, expect.stringContaining(`at '${path}'`)])
    },
  )

  test.each([
    [{ ...LEAST, actor: { share: 'yes' } }, "at '/actor/share': got string, want boolean"],
    [{ ...LEAST, answering: { replicas: '2' } }, "at '/answering/replicas': got string, want integer"],
    [{ ...LEAST, settings: { SEPTET_DEMO: false } }, "at '/settings/SEPTET_DEMO': got boolean, want string"],
    [
      { ...LEAST, metrics: { prometheusURL: 'http://a' } },
      "at '/metrics': additional properties 'prometheusURL' not allowed",
    ],
    [{ admin: LEAST.admin }, 'image is needed: the whole name of the image that you built and pushed'],
    [{ image: LEAST.image }, 'admin is needed: the e-mail address of who may sign up first.'],
    [{ ...LEAST, database: { external: true } }, 'database.external needs a Secret with DATABASE_URL'],
    [{ ...LEAST, metrics: { aws: { region: 'eu-west-1' } } }, 'metrics.aws needs both'],
    [{ ...LEAST, metrics: { tokenSecret: 't', aws: { region: 'a', secret: 's' } } }, 'one of them signs Septet in'],
    [{ ...LEAST, metrics: { headers: { 'X Team': 'gpu' } } }, "invalid propertyName 'X Team'"],
    [{ ...LEAST, serviceAccounts: ['cluster/a/b'] }, 'serviceAccounts needs publicUrl'],
    [{ ...LEAST, serviceAccounts: ['cluster/a/b=admin'] }, "at '/serviceAccounts/0'"],
    [{ ...LEAST, answering: { replicas: 2 } }, 'answering.replicas needs database.external'],
    [{ ...LEAST, watching: { replicas: 2 } }, 'watching.replicas above 1 needs database.external'],
    [{ ...EXTERNAL, watching: { replicas: 0 } }, "at '/watching/replicas'"],
    [{ ...LEAST, ingress: { enabled: true } }, 'publicUrl is needed for an Ingress or an HTTPRoute'],
  ])('%j', (values, sentence) => {
    expect(() => helm.template(values)).toThrow(sentence)
  })
})

describe('faultsOf', () => {
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } }
  const spec = { selector: {}, template: { spec: { containers: [{ name: 'a' }] } } }
  test.each([
    [{ ...deployment, spec }, []],
    [{ ...deployment, spec: { ...spec, replica: 2 } }, ['Deployment has no /spec/replica']],
    [{ ...deployment, spec: { ...spec, replicas: 'two' } }, [expect.stringContaining('replicas')]],
    [{ ...deployment, spec: { template: spec.template } }, [expect.stringContaining('selector')]],
  ])('%#', async (manifest, faults) => expect(await faultsOf(manifest)).toEqual(faults))
})
