import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

import { rulesIn, rulesOf } from '../act/rules-in.ts'
import { childEnvironment } from '../child-environment.ts'
import { CHART, manifestsIn, openHelm, type Helm } from './chart.ts'
import { faultsOf } from './faults-of.ts'

let helm: Helm
beforeAll(async () => {
  helm = await openHelm()
})
afterAll(() => helm.close())

const AGENT = {
  image: 'registry.example.com/septet:0.1.0',
  agent: { server: 'https://septet.example.com', bufferMib: 100, storageClass: 'fast' },
  metrics: {
    prometheusUrl: 'http://prometheus.monitoring:9090',
    matchers: 'cluster="prod"',
    tokenSecret: 'prometheus',
    headers: { 'X-Team': 'gpu' },
    certificateSecret: 'client',
    limits: { queries: 2 },
  },
  caConfigMap: 'authorities',
}

const PodSchema = z.looseObject({
  spec: z.looseObject({
    template: z.object({
      spec: z.looseObject({
        containers: z.tuple([
          z.looseObject({
            command: z.array(z.string()),
            args: z.array(z.string()),
            env: z.array(z.object({ name: z.string() })),
            securityContext: z.looseObject({}),
          }),
        ]),
      }),
    }),
  }),
})

test('an agent is one restricted pod with its volume, and nothing connects to it', async () => {
  const { code, out } = helm.run(['lint', '--strict', CHART, '--namespace', 'septet'], AGENT)
  expect([code, out]).toEqual([0, expect.stringContaining('0 chart(s) failed')])
  const manifests = manifestsIn(helm.template(AGENT))
  expect((await Promise.all(manifests.map(faultsOf))).flat()).toEqual([])
  expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()).toEqual([
    'ClusterRole septet-reader',
    'ClusterRoleBinding septet-reader',
    'Deployment septet-agent',
    'NetworkPolicy septet-agent',
    'PersistentVolumeClaim septet-agent',
    'Role septet-reader-operator',
    'RoleBinding septet-reader-operator',
    'ServiceAccount septet-reader',
  ])
  expect(manifests.find(({ kind }) => kind === 'NetworkPolicy')).toMatchObject({ spec: { policyTypes: ['Ingress'] } })
  expect(manifests.find(({ kind }) => kind === 'PersistentVolumeClaim')).toMatchObject({
    spec: { storageClassName: 'fast', resources: { requests: { storage: '200Mi' } } },
  })
  const [{ securityContext }] = containersOf(AGENT)
  expect(securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
})

const texts = (rules: ReturnType<typeof rulesOf>) => rules.map((rule) => JSON.stringify(rule)).toSorted()

test('it has the rights of the reader, and no others', () => {
  expect(texts(rulesOf(manifestsIn(helm.template(AGENT))))).toEqual(
    texts(rulesIn(['reader-clusterrole.yaml', 'reader-operator-role.yaml'])),
  )
})

test('the command of the pod is one that septet agent takes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'septet-agent-pod-'))
  try {
    const exporters = { ...AGENT, metrics: { exporterTargets: ['http://10.0.0.7:9400/metrics'] } }
    for (const values of [AGENT, exporters]) {
      const [{ command, args, env }] = containersOf(values)
      const [, ...words] = command
      const token = join(folder, 'token')
      writeFileSync(token, 'spt_not_of_an_agent')
      const given = args.map((word) => word.replace('/etc/septet/agent/token', token).replace('/data/agent', folder))
      const { status, stderr } = spawnSync(process.execPath, [...words, ...given], {
        cwd: resolve(import.meta.dirname, '../..'),
        encoding: 'utf8',
        env: { ...childEnvironment(), KUBERNETES_SERVICE_HOST: '10.0.0.1' },
      })
      // All that is wrong with it is the token.
      expect([status, stderr]).toEqual([2, expect.stringContaining('This is no token of an agent')])
      for (const { name } of env)
        expect(name).toMatch(
          /^(SEPTET_PROMETHEUS_(URL|TOKEN|TENANT|MATCHERS|HEADERS|CERT|KEY|QUERIES)|NODE_EXTRA_CA_CERTS)$/u,
        )
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const containersOf = (values: Readonly<Record<string, unknown>>) =>
  PodSchema.parse(manifestsIn(helm.template(values)).find(({ kind }) => kind === 'Deployment')).spec.template.spec
    .containers

test.each([
  [{ ...AGENT, actor: { share: true } }, 'An agent only reads: leave the switches of actor off.'],
  [
    { ...AGENT, demo: true },
    'agent.server runs the agent alone: leave demo, admission, serviceAccounts and answering out.',
  ],
  [{ ...AGENT, agent: { server: 'septet.example.com' } }, "at '/agent/server'"],
  [{ agent: AGENT.agent }, 'image is needed'],
])('%j is refused before anything is installed', (values, sentence) => {
  expect(() => helm.template(values)).toThrow(sentence)
})

test('helm tells where it sends to, and what is not measured', () => {
  const values = { image: AGENT.image, agent: AGENT.agent }
  const { code, out } = helm.run(['install', 'septet', CHART, '--namespace', 'gpu-tools', '--dry-run=client'], values)
  const notes = out.slice(out.indexOf('NOTES:'))
  expect([code, notes]).toEqual([0, expect.stringContaining('sends what it reads to https://septet.example.com.')])
  expect(notes).toContain('kubectl logs -n gpu-tools deployment/septet-agent')
  expect(notes).toContain('are not measured: set metrics.prometheusUrl')
})
