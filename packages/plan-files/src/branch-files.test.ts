import { CAREFUL_POLICY, makePlan, type GpuContainer, type Wish } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

import { planFiles } from './plan-files.ts'

const gpus = [{ resource: 'nvidia.com/gpu', count: 1 }]
const container: GpuContainer = {
  list: 'containers',
  index: 0,
  name: 'main',
  isSidecar: false,
  requests: { 'nvidia.com/gpu': '1' },
  limits: { 'nvidia.com/gpu': '1' },
  gpus,
}

/** What the files of a wish for one workload say, by their path. */
function branchOf(kind: string, wishOf: (workload: string) => Wish): Readonly<Record<string, unknown>> {
  const drawn = draw`node-a  H100-80GB-HBM3  [lab/one]`
  const workloads = drawn.workloads.map((each) => ({
    ...each,
    kind,
    id: `lab/${kind}/one`,
    templates: [{ part: '', containers: [container] }],
  }))
  const pods = drawn.pods.map((pod) => ({ ...pod, requests: gpus, workload: `lab/${kind}/one` }))
  const allocations = drawn.allocations.map((each) => ({ ...each, workload: `lab/${kind}/one` }))
  const snapshot = { ...drawn, workloads, pods, allocations }
  const wishes = workloads.map(({ id }) => wishOf(id))
  const plan = makePlan({ snapshot, wishes, title: 'A change', policy: { ...CAREFUL_POLICY, mayWait: true } })
  const exported = planFiles({ plan, snapshot })
  if (exported.kind === 'refused') throw new Error(exported.because.join(' '))
  const own = exported.files.filter(({ path }) => path.startsWith('branch/'))
  return Object.fromEntries(own.map(({ path, text }) => [path, path.endsWith('.md') ? text : parse(text)]))
}

const target = (group: string, kind: string) => ({ group, version: 'v1', kind, name: 'one', namespace: 'lab' })

test('a change of replicas is a component for exactly this object, with the way back and what to do', () => {
  const files = branchOf('Deployment', (workload) => ({ kind: 'scale', workload, to: 0 }))
  expect(files['branch/kustomization.yaml']).toEqual({
    apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    kind: 'Component',
    patches: [{ path: '001-lab-one.yaml', target: target('apps', 'Deployment') }],
  })
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'one', namespace: 'lab' } }
  expect(files['branch/001-lab-one.yaml']).toEqual({ ...object, spec: { replicas: 0 } })
  expect(files['branch/undo/001-lab-one.yaml']).toEqual({ ...object, spec: { replicas: 1 } })
  expect(files['branch/README.md']).toContain('Deployment lab/one: `001-lab-one.yaml`')
})

test('a kind with a switch of its own is stopped by that', () => {
  const files = branchOf('Notebook', (workload) => ({ kind: 'scale', workload, to: 0 }))
  expect(files['branch/001-lab-one.yaml']).toMatchObject({
    apiVersion: 'kubeflow.org/v1',
    metadata: { name: 'one', annotations: { 'kubeflow-resource-stopped': 'true' } },
  })
})

test('another size names its container and relies on no way of writing an amount', () => {
  const to = [{ resource: 'nvidia.com/mig-1g.10gb', count: 1 }]
  const files = branchOf('StatefulSet', (workload) => ({ kind: 'resize', workload, to }))
  const place = '/spec/template/spec/containers/0'
  expect(files['branch/001-lab-one.yaml']).toEqual([
    { op: 'test', path: `${place}/name`, value: 'main' },
    { op: 'add', path: `${place}/resources/limits`, value: { 'nvidia.com/mig-1g.10gb': '1' } },
    { op: 'add', path: `${place}/resources/requests`, value: { 'nvidia.com/mig-1g.10gb': '1' } },
  ])
})

test('a Job, which cannot be changed so, has no such directory', () => {
  const to = [{ resource: 'nvidia.com/mig-1g.10gb', count: 1 }]
  expect(branchOf('Job', (workload) => ({ kind: 'resize', workload, to }))).toEqual({})
})
