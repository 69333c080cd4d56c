import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { withRequests } from '../../plan/steps/drawn-wishes.fixture.ts'
import { HOUR_MS, instant } from '../../units.ts'
import type { RunState } from '../action-run.ts'
import { later, runFor } from '../policy/drawn-run.fixture.ts'
import { regression } from './regression.ts'
import { setByOthers } from './set-by-others.ts'

const BEFORE = withRequests(draw`
  a  A100-SXM4-80GB  [7g.80gb -]
  b  T4              [lab/other]`)
const layout = [0, 4].map((start) => ({ profile: '3g.40gb', placement: { start, size: 4 } }))
const WISH = { kind: 'layout', targets: [{ gpu: 'GPU-a-0', migEnabled: true, layout }], moves: [] } as const

const cutRun = (...states: RunState[]) =>
  runFor(BEFORE, WISH, { states: states.map((state, order) => [state, order * HOUR_MS]) })
const { plan } = cutRun()

const AFTER = withRequests(draw`
  a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb -]
  b  T4              [lab/other]`)
const seen = (change: (node: GpuNode) => Partial<GpuNode>): ClusterSnapshot => ({
  ...AFTER,
  takenAt: later(1),
  nodes: AFTER.nodes.map((node) => ({ ...node, ...change(node) })),
})
const fault = { code: 'gpu-fault', message: 'GPU 0 needs a reset.', object: 'gpu/x' }
const faulty = ({ gpus }: GpuNode): Partial<GpuNode> => ({ gpus: gpus.map((gpu) => ({ ...gpu, fault })) })
const worse = (change: (node: GpuNode) => Partial<GpuNode>) => regression(plan, seen(change), instant(later(0)))

describe('what got worse after a change', () => {
  test('is nothing while the node is well and as planned', () => expect(worse(() => ({}))).toBeUndefined())

  test('is a node of the plan that is not ready, and a GPU of it that broke', () => {
    expect(worse(({ name }) => ({ ready: name !== 'a' }))).toBe('a is not ready since the change.')
    expect(worse((node) => (node.name === 'a' ? faulty(node) : {}))).toBe('GPU 0 needs a reset.')
  })

  test('is not what happens on nodes that the plan did not touch', () => {
    expect(worse((node) => (node.name === 'b' ? { ready: false, ...faulty(node) } : {}))).toBeUndefined()
  })

  test('is also what is no longer as planned', () => {
    expect(regression(plan, { ...BEFORE, takenAt: later(1) }, instant(later(0)))).toBe(
      'The exporter of a does not show GPU GPU-a-0 as the plan says.',
    )
  })
})

const [step] = plan.steps.filter(({ action }) => action.kind === 'repartition')
const config = step?.action.kind === 'repartition' ? step.action.config : ''
const labeled = (name: string | undefined) => seen(({ mig }) => ({ mig: { ...mig, config: name } }))
const DONE = ['approved', 'checked', 'rehearsed', 'applying', 'applied'] as const

describe('a configuration that somebody else has set since', () => {
  test('is told of once all steps were done', () => {
    const theirs = 'Someone set nvidia.com/mig.config of a to "all-3g.40gb" since'
    expect(setByOthers(cutRun(...DONE), labeled('all-3g.40gb'))).toBe(theirs)
    expect(setByOthers(cutRun(...DONE, 'verified', 'kept'), labeled('all-3g.40gb'))).toBe(theirs)
  })

  test('is nobody else’s while the label is as planned, or is not seen', () => {
    expect(config).toMatch(/^septet-/u)
    expect(setByOthers(cutRun(...DONE), labeled(config))).toBeUndefined()
    expect(setByOthers(cutRun(...DONE), labeled(undefined))).toBeUndefined()
    expect(setByOthers(cutRun(...DONE), { nodes: [] })).toBeUndefined()
  })

  test('is not told of before that, nor where somebody else applied the plan', () => {
    expect(setByOthers(cutRun('approved', 'applying'), labeled('x'))).toBeUndefined()
    expect(setByOthers(cutRun('approved', 'handed-over', 'applied'), labeled('x'))).toBeUndefined()
  })

  test('has no meaning for a plan that cuts nothing', () => {
    const share = { kind: 'share', node: 'b', to: { kind: 'mps', replicas: 2 }, tenant: 'lab', moves: [] } as const
    expect(setByOthers(runFor(BEFORE, share, { states: [['applied', 0]] }), labeled('x'))).toBeUndefined()
  })
})
