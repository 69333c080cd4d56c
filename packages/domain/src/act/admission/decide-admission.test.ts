import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { UNCONSTRAINED } from '../../cluster/scheduling.ts'
import { DAY_MS, instant, mib, ratio } from '../../units.ts'
import { allowed, asking, container, instance, node, NOW, question, size, view } from './asking-pod.fixture.ts'
import { admissionMode } from './admission-labels.ts'
import { decideAdmission, memoryAsked, type AdmissionQuestion, type PatchOperation } from './decide-admission.ts'
import type { AskingPod } from './admission-pod.ts'
import type { FreeInstance } from './admission-view.ts'

test('a warning says what the same work has used and which size would start now', () => {
  expect(decideAdmission(question({ mode: 'warn' }))).toEqual({
    kind: 'warned',
    suggested: 'nvidia.com/mig-1g.20gb',
    warnings: [
      'In the last 7 days this work used at most 8.0 GiB of GPU memory: nvidia.com/mig-1g.20gb: 1 is enough and would start now.',
    ],
  })
})

test('a size that is not free is told, and so is one whose room was read long ago', () => {
  const none = decideAdmission(question({ mode: 'warn', view: view({ nodes: [] }) }))
  expect(none).toMatchObject({ warnings: [expect.stringContaining('but none is free for this pod now.')] })
  const old = decideAdmission(question({ mode: 'warn', view: view({ takenAt: instant(NOW - 600_000) }) }))
  expect(old).toMatchObject({ warnings: [expect.stringMatching(/is enough\.$/u)] })
})

test('a change names what was changed from what, why, and how to opt out, on the pod and to anyone who made it', () => {
  const verdict = decideAdmission(question())
  const note =
    'nvidia.com/gpu: 1 to nvidia.com/mig-1g.20gb: 1. In the last 7 days this work used at most 8.0 GiB of GPU memory. To keep a whole GPU, set the label septet.io/admission to off.'
  expect(verdict).toMatchObject({ kind: 'changed', warnings: [`Septet changed ${note}`] })
  const quantities = { cpu: '4', 'nvidia.com/mig-1g.20gb': '1' }
  expect(patchOf(verdict)).toEqual([
    { op: 'add', path: '/spec/containers/0/resources/limits', value: quantities },
    { op: 'add', path: '/spec/containers/0/resources/requests', value: quantities },
    { op: 'add', path: '/metadata/annotations/septet.io~1admission-changed', value: note },
  ])
})

describe('nothing is said', () => {
  const cases: Record<string, Partial<AdmissionQuestion>> = {
    'where the use of the work is unknown': { view: view({ sizes: new Map() }) },
    'before the cluster was read': { view: undefined },
    'of a pod that asks for two GPUs': { pod: asking({ requests: [{ resource: 'nvidia.com/gpu', count: 2 }] }) },
    'of a pod with claims': { pod: asking({ claims: true }) },
    'of a pod that asks for another device as well': {
      pod: asking({
        requests: [
          { resource: 'nvidia.com/gpu', count: 1 },
          { resource: 'nvidia.com/mig-1g.20gb', count: 1 },
        ],
      }),
    },
    'of a pod that asks for no GPU': { pod: asking({ requests: [], containers: [] }) },
  }
  test.each(Object.entries(cases))('%s', (_, more) => {
    expect(decideAdmission(question(more)).kind).toBe('silent')
  })
})

describe('the whole GPU stays, and it is said why', () => {
  const on = allowed().policy
  const permission = (policy: Partial<typeof on>) => allowed({ policy: { ...on, ...policy } })
  const stop = { cluster: undefined, at: NOW, by: 'ada@example.com', because: 'incident 42' }
  const quota = { id: 'lab/gpus/x', namespace: 'lab', resource: 'nvidia.com/mig-1g.20gb', hard: 2, used: 2 }
  const cases: Record<string, [Partial<AdmissionQuestion>, string]> = {
    'while all changes are stopped': [{ permission: allowed({ stops: [stop] }) }, 'stopped all changes'],
    'where nobody let Septet': [
      { permission: permission({ modes: { ...on.modes, 'right-size': 'approve' } }) },
      'auto',
    ],
    'where the class may not be on auto': [{ permission: permission({ auto: { ...on.auto, classes: [] } }) }, 'auto'],
    'while right-sizing is halted after a setback': [
      { permission: allowed({ halted: { run: '1', at: NOW, because: 'Its pods crashed.' } }) },
      'is halted since',
    ],
    'in a protected namespace': [{ permission: permission({ protectedNamespaces: ['la*'] }) }, 'protected'],
    'in a namespace that no plan may touch': [
      { permission: allowed({ plans: { protectedNamespaces: ['lab'] } }) },
      'protected',
    ],
    'with a protected label': [
      { pod: asking({ labels: { tier: 'gold' } }), permission: permission({ protectedLabels: { tier: '*' } }) },
      'protected',
    ],
    'where its owner keeps it': [{ pod: asking({ annotations: { 'septet.io/keep': 'true' } }) }, 'kept for good'],
    'where its owner keeps it by a label': [{ pod: asking({ labels: { 'septet.io/keep': '' } }) }, 'kept for good'],
    'where Kueue counts it': [{ pod: asking({ queued: true }) }, 'Kueue'],
    'on an old reading': [{ view: view({ takenAt: instant(NOW - 121_000) }) }, 'read minutes ago'],
    'where its rules are known in part': [
      { pod: asking({ scheduling: { ...UNCONSTRAINED, unread: ['podAntiAffinity'] } }) },
      'podAntiAffinity',
    ],
    'on weak evidence': [
      { view: view({ sizes: new Map([['lab/Deployment/chat', size({ confidence: ratio(0.4) })]]) }) },
      'confidence in its evidence is 40%',
    ],
    'where the quota has no such instance left': [{ view: view({ quotas: [quota] }) }, 'quota'],
    'past the budget of an hour': [{ permission: allowed({ changed: { hour: 10, day: 10 } }) }, 'last hour'],
    'past the budget of a day': [{ permission: allowed({ changed: { hour: 0, day: 50 } }) }, 'last day'],
    'where what is allowed cannot be read': [{ permission: undefined }, 'could not be read'],
    'where what is allowed was read long ago': [{ permission: allowed({ readAt: instant(NOW - 11_000) }) }, 'read'],
  }
  test.each(Object.entries(cases))('%s', (_, [more, words]) => {
    const verdict = decideAdmission(question(more))
    expect(verdict).toMatchObject({ kind: 'warned', warnings: [expect.any(String), expect.stringContaining(words)] })
  })
})

describe('an annotation that asks for memory', () => {
  const sized = (text: string, more: Partial<AdmissionQuestion> = {}) =>
    decideAdmission(
      question({
        view: view({ sizes: new Map(), nodes: [node('gpu-1', [large, instance(), small])] }),
        ...more,
        pod: asking({ annotations: { 'septet.io/gpu-memory': text } }),
      }),
    )
  const small = instance({ partition: 'a', resource: 'nvidia.com/mig-1g.10gb', memory: mib(9984) })
  const large = instance({
    partition: 'b',
    resource: 'nvidia.com/mig-3g.40gb',
    memory: mib(40_320),
    share: ratio(3 / 7),
  })

  test('gets the smallest instance that holds it', () => {
    expect(sized('9Gi')).toMatchObject({ suggested: 'nvidia.com/mig-1g.10gb' })
    // A 1g.10gb has 9.75 GiB.
    expect(sized('10Gi')).toMatchObject({
      suggested: 'nvidia.com/mig-1g.20gb',
      warnings: [expect.stringContaining('10Gi')],
    })
    expect(sized('30000Mi')).toMatchObject({ suggested: 'nvidia.com/mig-3g.40gb' })
  })
  test('gets no less than the same work was seen to use', () => {
    const nodes = [node('gpu-1', [small, instance()])]
    const known = view({ sizes: new Map([['lab/Deployment/chat', size({ memoryPeak: 12_000 })]]), nodes })
    expect(sized('4Gi', { view: known })).toMatchObject({
      suggested: 'nvidia.com/mig-1g.20gb',
      warnings: [expect.stringContaining('used at most 11.7 GiB')],
    })
  })
  test('is told where it cannot be met or read', () => {
    expect(sized('70Gi')).toMatchObject({ kind: 'warned', warnings: [expect.stringContaining('keeps the whole GPU')] })
    expect(sized('ten')).toMatchObject({
      kind: 'warned',
      warnings: [expect.stringContaining('is not an amount of memory')],
    })
    const two = asking({
      annotations: { 'septet.io/gpu-memory': '4Gi' },
      requests: [{ resource: 'nvidia.com/gpu', count: 2 }],
    })
    expect(decideAdmission(question({ pod: two }))).toMatchObject({
      warnings: [expect.stringContaining('is for pods that ask for nvidia.com/gpu: 1')],
    })
  })
})

const pinned = (product: string) =>
  asking({ scheduling: { ...UNCONSTRAINED, nodeSelector: { 'nvidia.com/gpu.product': product } } })

test('a pod pinned to nodes that have no such instance keeps its GPU', () => {
  const labeled = view({ nodes: [node('gpu-1', [instance()], { 'nvidia.com/gpu.product': 'H100' })] })
  expect(decideAdmission(question({ view: labeled, pod: pinned('L40S') })).kind).toBe('warned')
  expect(decideAdmission(question({ view: labeled, pod: pinned('H100') })).kind).toBe('changed')
})

test('an instance that was promised to another pod is not given twice, and neither is the room beside it', () => {
  const two = view({
    nodes: [
      { ...node('gpu-1', [instance(), instance({ partition: 'other' })]), left: { cpuMilli: 6000, memory: 9e9 } },
    ],
  })
  const pod = asking({ scheduling: { ...UNCONSTRAINED, cpuMilli: 4000 } })
  const first = decideAdmission(question({ view: two, pod }))
  const promised = first.kind === 'changed' ? [first.promise] : []
  expect(promised).toMatchObject([{ node: 'gpu-1', cpuMilli: 4000 }])
  expect(decideAdmission(question({ view: two, pod, promised })).kind).toBe('warned')
  expect(decideAdmission(question({ view: two, promised }))).toMatchObject({ promise: { partition: 'other' } })
})

test('a pod’s own label stands over that of its namespace', () => {
  expect(admissionMode({}, 'warn')).toBe('warn')
  expect(admissionMode({ 'septet.io/admission': 'warn' }, 'mutate')).toBe('warn')
  expect(admissionMode({ 'septet.io/admission': 'mutate' }, 'warn')).toBe('mutate')
  expect(admissionMode({ 'septet.io/admission': 'off' }, 'mutate')).toBeUndefined()
})

test('amounts of memory are read as Kubernetes writes them', () => {
  expect(['10Gi', '512Mi', '1G', '1.5Gi', '1048576'].map(memoryAsked)).toEqual([10_240, 512, 954, 1536, 1])
  expect(['', '0', '-1Gi', 'Gi', '10 GB'].map(memoryAsked)).toEqual(Array.from({ length: 5 }, () => undefined))
})

const instances = fc.array(
  fc
    .record({ gib: fc.integer({ min: 4, max: 79 }), slices: fc.integer({ min: 1, max: 6 }) })
    .map(({ gib, slices }): FreeInstance =>
      instance({
        partition: `GPU-${gib}-${slices}`,
        resource: `nvidia.com/mig-${slices}g.${gib}gb`,
        memory: mib(gib * 1024),
        share: ratio(slices / 7),
      }),
    ),
  { maxLength: 6 },
)
const pods = fc.record({
  labels: fc.constantFrom({}, { 'septet.io/keep': 'true' }, { app: 'chat' }),
  annotations: fc.constantFrom(undefined, {}, { 'septet.io/gpu-memory': '9Gi' }, { 'septet.io/gpu-memory': 'x' }),
  requests: fc.constantFrom(
    [{ resource: 'nvidia.com/gpu', count: 1 }],
    [{ resource: 'nvidia.com/gpu', count: 2 }],
    [{ resource: 'nvidia.com/mig-1g.20gb', count: 1 }],
    [],
  ),
  claims: fc.boolean(),
  queued: fc.boolean(),
  containers: fc.constantFrom(
    [container()],
    [{ ...container(), limits: { 'nvidia.com/gpu': '1' }, requests: {} }],
    [container(), { ...container(), list: 'initContainers' as const }],
  ),
})
const permissions = fc.option(
  fc
    .record({
      stops: fc.constantFrom([], [{ cluster: undefined, at: NOW, by: 'ada', because: 'stop' }]),
      changed: fc.constantFrom({ hour: 0, day: 0 }, { hour: 10, day: 10 }),
      readAt: fc.constantFrom(NOW, instant(NOW - DAY_MS)),
    })
    .map(allowed),
  { nil: undefined },
)
const questions = fc
  .record({
    mode: fc.constantFrom('warn' as const, 'mutate' as const),
    pod: pods,
    permission: permissions,
    free: instances,
  })
  .map(({ free, pod, ...rest }) =>
    question({ ...rest, pod: asking(pod), view: view({ nodes: [node('gpu-1', free), node('gpu-2', [instance()])] }) }),
  )

const changes = (check: (asked: AdmissionQuestion, after: AskingPod, patch: readonly PatchOperation[]) => void) =>
  fc.assert(
    fc.property(questions, (asked) => {
      const verdict = decideAdmission(asked)
      if (verdict.kind === 'changed') check(asked, applied(asked.pod, verdict.patch), verdict.patch)
    }),
    { numRuns: 500 },
  )

describe('whatever is asked', () => {
  test('a change never gives more than was asked for, and always one instance that is free', () => {
    changes(({ view: { nodes } = view() }, { containers }) => {
      const given = new Set(containers.flatMap(({ gpus }) => gpus.map(({ resource, count }) => `${resource} ${count}`)))
      expect(given.size).toBe(1)
      const free = nodes.flatMap(({ instances: all }) => all)
      expect(free.filter(({ resource, share }) => given.has(`${resource} 1`) && share < 1)).not.toEqual([])
    })
  })
  test('a patch applies, leaves no request of the whole GPU, and requests equal limits', () => {
    changes((_, { containers, annotations }) => {
      for (const { limits, requests } of containers) {
        expect(limits).not.toHaveProperty(['nvidia.com/gpu'])
        expect(gpusIn(requests)).toEqual(gpusIn(limits))
        expect(Object.keys(gpusIn(limits))).toHaveLength(1)
      }
      expect(annotations).toHaveProperty(['septet.io/admission-changed'])
    })
  })
  test('what was changed is not changed again', () => {
    changes((asked, after) => expect(decideAdmission({ ...asked, pod: after }).kind).toBe('silent'))
  })
  test('nothing is changed without every permission', () => {
    changes(({ mode, permission, pod }) => {
      expect(mode).toBe('mutate')
      expect(permission?.stops).toEqual([])
      expect(permission?.changed.hour).toBe(0)
      expect(permission?.readAt).toBe(NOW)
      expect(pod).toMatchObject({ queued: false, claims: false, requests: [{ resource: 'nvidia.com/gpu', count: 1 }] })
      expect(pod.labels).not.toHaveProperty(['septet.io/keep'])
    })
  })
  test('no warning is longer than the API server lets through', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        const verdict = decideAdmission(asked)
        const said = verdict.kind === 'silent' ? [] : verdict.warnings
        expect(said.every(({ length }) => length <= 256)).toBe(true)
      }),
    )
  })
})

const patchOf = (verdict: ReturnType<typeof decideAdmission>) => (verdict.kind === 'changed' ? verdict.patch : [])

const gpusIn = (quantities: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(quantities).filter(([name]) => name.startsWith('nvidia.com/')))

/** The pod as the API server has it after the patch. */
function applied(pod: AskingPod, patch: readonly PatchOperation[]): AskingPod {
  const valueOf = (path: string): unknown => patch.find((each) => each.path === path)?.value
  const containers = pod.containers.map((each) => {
    const path = `/spec/${each.list}/${each.index}/resources`
    const [limits, requests] = [valueOf(`${path}/limits`), valueOf(`${path}/requests`)] as Record<string, string>[]
    const gpus = Object.entries(gpusIn(requests ?? {})).map(([resource, count]) => ({ resource, count: Number(count) }))
    return { ...each, limits: limits ?? each.limits, requests: requests ?? each.requests, gpus }
  })
  const note = patch.find(({ path }) => path.endsWith('/septet.io~1admission-changed'))
  const whole = valueOf('/metadata/annotations') as Record<string, string> | undefined
  const annotations = whole ?? { ...pod.annotations, 'septet.io/admission-changed': note?.value as string }
  return { ...pod, containers, annotations, requests: containers[0]?.gpus ?? [] }
}
