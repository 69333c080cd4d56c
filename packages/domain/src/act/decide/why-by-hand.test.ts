import { expect, test } from 'vitest'
import type { Action } from '../../plan/words/action.ts'
import { runFor } from '../policy/drawn-run.fixture.ts'
import { draw } from '../../cluster/draw.fixture.ts'
import { whyByHand, whyHandedOver } from './why-by-hand.ts'

const { plan } = runFor(draw`node-a  T4  [lab/one]`, { kind: 'scale', workload: 'lab/Pod/one', to: 0 })
const because = (action: Action): string | undefined =>
  whyByHand({ ...plan, steps: plan.steps.slice(0, 1).map((step) => ({ ...step, action })) })

const resize = (kind: string): Action => ({
  kind: 'resize',
  workload: `lab/${kind}/chat`,
  from: [{ resource: 'nvidia.com/gpu', count: 2 }],
  to: [{ resource: 'nvidia.com/gpu', count: 1 }],
})
const scale = (kind: string, from: number, to: number): Action => ({
  kind: 'scale',
  workload: `lab/${kind}/chat`,
  from,
  to,
})

test.for<readonly [Action, RegExp | undefined]>([
  [resize('Deployment'), undefined],
  [resize('Notebook'), undefined],
  [resize('Job'), /cannot be changed after creation/u],
  [resize('RayCluster'), /KubeRay takes another template .* keeps the pods that run.* from its last checkpoint/u],
  [resize('PyTorchJob'), /after the job was suspended .* which stops every rank of it\. Set 1 × nvidia\.com\/gpu/u],
  [resize('CronJob'), /Septet does not change what the pods of a CronJob ask for/u],
  [scale('Deployment', 3, 2), undefined],
  [scale('Notebook', 1, 0), undefined],
  [scale('Job', 2, 1), /has no number of replicas/u],
  [scale('ReplicaSet', 2, 0), /does not stop or scale a ReplicaSet/u],
  [
    { kind: 'share', node: 'node-a', from: { kind: 'none' }, to: { kind: 'mps', replicas: 2 }, tenant: 'lab' },
    undefined,
  ],
  [
    {
      kind: 'reschedule',
      workload: 'lab/Deployment/chat',
      rules: { nodeSelector: {}, hasAffinity: false },
      from: { pool: '', model: '', requests: [] },
      to: { pool: 'a30', model: '', requests: [] },
    },
    /from the files of the plan/u,
  ],
])('%o', ([action, words]) => {
  expect(because(action) ?? '').toMatch(words ?? /^$/u)
})

test('a plan without a step says what it was refused for', () => {
  const refused = [{ code: 'x', message: 'Its owner decides.', object: 'workload/lab/Pod/one' }]
  expect(whyByHand({ steps: [], refused })).toBe('Its owner decides.')
})

test('an instance under DRA is made by claims, so that Septet hands its plan over and need not be asked by hand', () => {
  const instance = { profile: '3g.40gb', placement: { start: 0, size: 4 } }
  const made: Action = { kind: 'create-instance', gpu: 'GPU-1', instance }
  expect(because(made)).toBeUndefined()
  const [step] = plan.steps
  expect(whyHandedOver({ steps: step === undefined ? [] : [step, { ...step, action: made }] })).toBe(
    'A DRA driver makes and removes instances when claims are prepared and released, so Septet writes nothing there.',
  )
  expect(whyHandedOver(plan)).toBeUndefined()
})

test('a plan without a step that was refused for nothing has nothing to be applied', () => {
  expect(whyByHand({ steps: [], refused: [] })).toBe('There is no step to apply.')
})
