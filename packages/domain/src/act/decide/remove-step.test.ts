import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instant } from '../../units.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { whyPoolKeeps } from '../nodes/pool-budget.ts'
import { context, decided } from './decide.fixture.ts'
import { decideStep } from './decide-step.ts'

const REMOVE = { kind: 'remove-node', node: 'n' } as const

const pod = (name: string, more: { readonly [key: string]: unknown } = {}, owner = 'ReplicaSet'): LiveObject => ({
  metadata: {
    namespace: 'web',
    name,
    uid: `uid-${name}`,
    ownerReferences: owner === '' ? [] : [{ kind: owner, controller: true }],
    ...more,
  },
  spec: {},
  status: { phase: 'Running' },
})
const READY = { conditions: [{ type: 'Ready', status: 'True' }] }
const claim = (node: string, metadata: object = {}): LiveObject => ({
  metadata: { name: `claim-${node}`, uid: `uid-${node}`, labels: { 'karpenter.sh/nodepool': 'p' }, ...metadata },
  status: { nodeName: node, ...READY },
})
const pool = (spec: object = {}): LiveObject => ({ metadata: { name: 'p' }, spec })
const cluster = (more: Readonly<Record<string, readonly LiveObject[]>> = {}) => ({
  nodes: [{ metadata: { name: 'n' }, spec: { unschedulable: true } }],
  pods: [pod('daemon', {}, 'DaemonSet')],
  nodeclaims: [claim('n'), claim('m')],
  nodepools: [pool()],
  ...more,
})
const removing = (
  more: Parameters<typeof cluster>[0] = {},
  action: Parameters<typeof decideStep>[0] = REMOVE,
  about: Parameters<typeof context>[0] = {},
) => decided(decideStep(action, context(about)), cluster(more))

describe('a node that is to go', () => {
  test('is ended by its NodeClaim once only pods of daemons are on it', () => {
    expect(removing()).toMatchObject({
      kind: 'write',
      write: {
        verb: 'delete',
        uid: 'uid-n',
        object: { group: 'karpenter.sh', resource: 'nodeclaims', name: 'claim-n' },
      },
    })
  })

  test('is emptied first: pods without a GPU are evicted, one after another', () => {
    expect(removing({ pods: [pod('a'), pod('b')] })).toMatchObject({ write: { verb: 'evict', uid: 'uid-a' } })
    const leaving = pod('a', { deletionTimestamp: '2026-11-23T10:00:00Z' })
    expect(removing({ pods: [leaving, pod('b')] })).toMatchObject({ kind: 'wait', because: 'web/a is stopping.' })
  })

  test('stays until the work that left it runs elsewhere, while it can still come back', () => {
    const landed = [{ workload: 'web/Deployment/a', pods: 1 }]
    expect(removing({}, { ...REMOVE, landed })).toEqual({
      kind: 'wait',
      because: 'web/Deployment/a has 0 of 1 pods running elsewhere.',
      atMostMs: 600_000,
    })
  })

  test.for([
    ['no controller', pod('a', {}, ''), /web\/a has no controller/u],
    ['a pod that is kept', pod('a', { annotations: { 'septet.io/keep': '' } }), /web\/a is kept for good/u],
    ['do-not-disrupt', pod('a', { annotations: { 'karpenter.sh/do-not-disrupt': '30m' } }), /do-not-disrupt/u],
    [
      'safe-to-evict',
      pod('a', { annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' } }),
      /safe-to-evict: "false"/u,
    ],
    ['a protected namespace', pod('a', { namespace: 'kube-system' }), /kube-system\/a is in a protected namespace/u],
    [
      'data on the node',
      { ...pod('a'), spec: { volumes: [{ name: 'cache', emptyDir: {} }] } },
      /web\/a keeps data on the node, in the volume cache/u,
    ],
  ] as const)('is left where it is because of %s', ([, stays, words]) => {
    const decision = removing({ pods: [pod('fine'), stays] })
    expect(decision).toMatchObject({ kind: 'failed', because: expect.stringMatching(words) })
  })

  test('is left where it is when more pods would leave than one change may stop, whether they hold a GPU or not', () => {
    const pods = [pod('a'), pod('b')]
    const asked = (mostPods: number | undefined, isRehearsal = true) =>
      removing({ pods }, REMOVE, { mostPods, isRehearsal })
    expect(asked(1)).toMatchObject({
      kind: 'failed',
      because: expect.stringMatching(/2 pods would leave n.*1 allowed/u),
    })
    for (const most of [2, undefined]) expect(asked(most)).toMatchObject({ write: { verb: 'evict' } })
    // Half-way it is too late to stand back.
    expect(asked(1, false)).toMatchObject({ write: { verb: 'evict' } })
  })

  test('data in memory, and data whose pod says that it may go, do not hold it', () => {
    const memory = { ...pod('a'), spec: { volumes: [{ name: 'shm', emptyDir: { medium: 'Memory' } }] } }
    const annotations = { 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes': 'tmp,cache' }
    const listed = { ...pod('b', { annotations }), spec: { volumes: [{ name: 'cache', emptyDir: {} }] } }
    for (const each of [memory, listed]) expect(removing({ pods: [each] })).toMatchObject({ write: { verb: 'evict' } })
  })

  test.for(['karpenter.sh/do-not-disrupt', 'cluster-autoscaler.kubernetes.io/scale-down-disabled'])(
    'stays when it carries %s',
    (annotation) => {
      const nodes = [{ metadata: { name: 'n', annotations: { [annotation]: 'true' } } }]
      expect(removing({ nodes })).toEqual({
        kind: 'failed',
        because: `n carries the annotation ${annotation}, so it stays.`,
      })
    },
  )

  test('is left to Cluster Autoscaler, empty and cordoned, where no NodeClaim is its own', () => {
    const configmaps = [{ metadata: { name: 'cluster-autoscaler-status' } }]
    expect(removing({ nodeclaims: [], configmaps })).toMatchObject({
      kind: 'wait',
      because: expect.stringContaining('Cluster Autoscaler ends it'),
    })
    expect(removing({ nodeclaims: [claim('m')] })).toMatchObject({
      kind: 'failed',
      because: expect.stringContaining('Nothing in the cluster can end the machine of n'),
    })
  })

  test('is not taken from a pool of fixed size, which would replace it', () => {
    expect(removing({ nodepools: [pool({ replicas: 3 })] })).toMatchObject({
      kind: 'failed',
      because: expect.stringContaining('Lower spec.replicas instead'),
    })
  })

  test('is not ended a second time while it goes, and is done with when it is gone', () => {
    const going = claim('n', { deletionTimestamp: '2026-11-23T10:00:00Z' })
    expect(removing({ nodeclaims: [going] })).toMatchObject({
      kind: 'wait',
      because: 'The machine of n is being terminated.',
    })
    expect(removing({ nodes: [] })).toEqual({ kind: 'done', because: 'n has left the cluster.' })
  })

  test('waits while the budget of its pool is spent', () => {
    const going = claim('m', { deletionTimestamp: '2026-11-23T10:00:00Z' })
    expect(removing({ nodeclaims: [claim('n'), going] })).toMatchObject({
      kind: 'wait',
      because: 'The disruption budgets of NodePool p let 1 node go at a time, and one is going or not ready.',
    })
    expect(removing({ nodeclaims: [claim('n'), going] }, REMOVE, { isRehearsal: true })).toMatchObject({
      kind: 'failed',
    })
  })
})

const lastDue = (schedule: string) => (schedule === '@daily' ? instant(0) : undefined)

describe('the budgets of a NodePool', () => {
  const NOON = instant(43_200_000)
  const keeps = (budgets: readonly object[], going: number, of: number) => {
    const claims = Array.from({ length: of }, (_, index) =>
      claim(`n${index}`, index < going ? { deletionTimestamp: '2026-11-23T10:00:00Z' } : {}),
    )
    return whyPoolKeeps(pool({ disruption: { budgets } }), claims, { now: NOON, lastDue }) !== undefined
  }

  test('let as many go as Karpenter would: a share rounded up or a number, less those that are going', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 60 }),
        fc.oneof(
          fc.integer({ min: 0, max: 100 }).map((share) => `${share}%`),
          fc.integer({ min: 0, max: 60 }).map(String),
        ),
        (of, drawn, nodes) => {
          const going = Math.min(of, drawn)
          const most = nodes.endsWith('%') ? Math.ceil((of * Number.parseInt(nodes, 10)) / 100) : Number(nodes)
          expect(keeps([{ nodes }], going, of)).toBe(most - going <= 0)
          // Another budget only ever keeps more.
          const alone = keeps([{ nodes }], going, of)
          expect(keeps([{ nodes }, { nodes: '100%' }], going, of) || !alone).toBe(true)
        },
      ),
    )
  })

  test('are a tenth of the nodes where a pool sets none', () => {
    expect(keeps([], 0, 5)).toBe(false)
    expect(keeps([], 1, 10)).toBe(true)
    expect(keeps([], 1, 11)).toBe(false)
  })

  test.for([
    [{ nodes: '0', reasons: ['Drifted'] }, false],
    [{ nodes: '0', reasons: ['Empty'] }, true],
    [{ nodes: '0', schedule: '@daily', duration: '10m' }, false],
    [{ nodes: '0', schedule: '@daily', duration: '12h1m' }, true],
    [{ nodes: '0', schedule: '@daily', duration: '12h' }, false],
    [{ nodes: '0', schedule: 'no such', duration: '10m' }, true],
    [{ nodes: 'many' }, true],
  ] as const)('%j', ([budget, isKept]) => {
    expect(keeps([budget], 0, 10)).toBe(isKept)
  })
})
