import { DEFAULT_PATIENCE, decideStep, instant, type Instant, type LiveObject, type StepContext } from '@septet/domain'
import { describe, expect, test } from 'vitest'
import { parsePod } from '../kubernetes/read/parse-pod.ts'
import { asServed, NOTHING, ofKind, recorded, recordedObjects, recordings, type Recorded } from './recorded.fixture.ts'

const MIDNIGHT = Date.parse('2026-11-23T00:00:00Z')
const minutesPast = (minutes: number): Instant => instant(MIDNIGHT + minutes * 60_000)

const poolsIn = (file: string): readonly Recorded[] => ofKind(recordedObjects(`karpenter/${file}`), 'NodePool')

/** NodeClaims as `kubectl describe` shows one, each with its node; `going` of them are being deleted. */
function claims(count: number, going = 0): readonly LiveObject[] {
  const described = recorded('karpenter/nodeclaim-describe-output.txt')
  const label = /karpenter\.sh\/nodepool=(\S+)/u.exec(described)?.[1] ?? ''
  const [, ready] = /Status: +(\w+)\s+Type: +Ready/u.exec(described) ?? []
  return Array.from({ length: count }, (_, index) => ({
    metadata: {
      name: `${label}-${index}`,
      uid: `uid-${index}`,
      labels: { 'karpenter.sh/nodepool': label },
      ...(index > 0 && index <= going ? { deletionTimestamp: '2026-11-23T00:00:00Z' } : {}),
    },
    status: { nodeName: `n-${index}`, conditions: [{ type: 'Ready', status: ready }] },
  }))
}

/** What is decided of n-0, which is empty, of a pool with so many nodes. */
function removing(
  pool: Recorded,
  {
    nodes = 30,
    going = 0,
    now = minutesPast(60),
    node = {},
  }: { nodes?: number; going?: number; now?: Instant; node?: object } = {},
): string {
  const cluster: Readonly<Record<string, readonly LiveObject[]>> = {
    nodes: [{ ...node, metadata: { name: 'n-0', ...Object(Reflect.get(node, 'metadata')) } }],
    pods: [],
    nodeclaims: claims(nodes, going),
    nodepools: [{ ...pool }],
  }
  const context: StepContext = {
    run: 'action-1',
    isUndo: false,
    isRehearsal: true,
    now,
    written: new Map(),
    operatorNamespace: 'gpu-operator',
    patience: DEFAULT_PATIENCE,
    isProtected: () => false,
    mostPods: undefined,
    lastDue: (schedule) => (schedule === '@daily' ? minutesPast(0) : undefined),
    inUse: () => undefined,
    isBeside: () => true,
  }
  return saidBy(decideStep({ kind: 'remove-node', node: 'n-0' }, context), cluster)
}

/** What comes of a decision on a cluster that is a list of objects by kind. */
function saidBy(
  deciding: ReturnType<typeof decideStep>,
  cluster: Readonly<Record<string, readonly LiveObject[]>>,
): string {
  let turn = deciding.next()
  while (turn.done !== true) {
    const asked = turn.value
    turn = deciding.next(cluster[asked.kind === 'object' ? asked.object.resource : asked.objects.resource] ?? [])
  }
  const decision = turn.value
  return decision.kind === 'write' ? decision.says : decision.because
}

const ENDS = 'Have Karpenter end n-0'

describe.skipIf(recordings === undefined)('recorded NodePools of Karpenter', () => {
  test('with several budgets: the smallest that binds now counts, also one with a schedule while it lasts', () => {
    const [pool = NOTHING] = poolsIn('disruption-budgets.yaml')
    expect(removing(pool)).toBe(ENDS)
    expect(removing(pool, { going: 4 })).toBe(ENDS)
    expect(removing(pool, { going: 5 })).toBe(
      'The disruption budgets of NodePool default let 5 nodes go at a time, and 5 are going or not ready.',
    )
    // A share of few nodes is rounded up.
    expect(removing(pool, { nodes: 6, going: 1 })).toBe(ENDS)
    expect(removing(pool, { nodes: 6, going: 2 })).toMatch(/let 2 nodes go at a time, and 2 are going/u)
    expect(removing(pool, { now: minutesPast(9) })).toBe(
      'The disruption budgets of NodePool default let 0 nodes go at a time.',
    )
    expect(removing(pool, { now: minutesPast(10) })).toBe(ENDS)
  })

  test('without budgets let a tenth go', () => {
    const [pool = NOTHING] = poolsIn('examples/max-node-lifetime.yaml')
    expect(removing({ ...pool, metadata: { ...pool.metadata, name: 'default' } }, { nodes: 11, going: 1 })).toBe(ENDS)
    expect(removing(pool, { nodes: 10, going: 1 })).toMatch(/let 1 node go at a time, and one is going/u)
  })

  test('with a fixed number of nodes would replace each that goes', () => {
    const [pool = NOTHING] = poolsIn('nodepool-full-annotated.yaml')
    expect(removing(pool)).toBe(
      'NodePool default keeps a fixed number of nodes (spec.replicas), so it would replace n-0 at once. Lower spec.replicas instead.',
    )
  })

  test('that let none go, and nodes and pods that say do-not-disrupt, stay', () => {
    const objects = recordedObjects('karpenter/do-not-disrupt.yaml')
    const [pool = NOTHING] = ofKind(objects, 'NodePool')
    expect(removing(pool)).toBe('The disruption budgets of NodePool default let 0 nodes go at a time.')
    const [node = NOTHING] = ofKind(objects, 'Node')
    const [general = NOTHING] = poolsIn('disruption-budgets.yaml')
    expect(removing(general, { node: { metadata: { annotations: node.metadata['annotations'] } } })).toBe(
      'n-0 carries the annotation karpenter.sh/do-not-disrupt, so it stays.',
    )
    const pods = ofKind(objects, 'Deployment').map(({ spec }) => {
      const { metadata } = Object(spec['template'])
      const containers = [{ name: 'c', resources: { limits: { 'nvidia.com/gpu': '1' } } }]
      return parsePod(asServed({ kind: 'Pod', metadata: { ...metadata, name: 'p' }, spec: { containers } }))
    })
    // For always, and for 30 minutes.
    expect(pods.map((pod) => pod?.scheduling.evictable)).toEqual([false, false])
  })
})
