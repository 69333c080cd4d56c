import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { Action, PlanStep } from '../../plan/words/action.ts'
import { seconds } from '../../units.ts'
import { decided, type LiveCluster } from './decide.fixture.ts'
import { lookAtObjects } from './object-facts.ts'

const stepOf = (action: Action, displaced: readonly string[] = []): PlanStep => ({
  number: 1,
  action,
  title: '',
  preconditions: [],
  effect: '',
  displaced,
  duration: { low: seconds(0), high: seconds(0), source: 'assumed' },
  inverse: [],
})

const picture = draw`
  a  A100-SXM4-80GB  [lab/chat]
  b  A100-SXM4-80GB  [web/api]`
const snapshot = {
  ...picture,
  pods: picture.pods.map((pod) => ({ ...pod, workload: pod.workload.replace('/Pod/', '/Deployment/') })),
}

const KEPT = { annotations: { 'septet.io/keep': 'true' } }
const look = (steps: readonly PlanStep[], cluster: LiveCluster) => decided(lookAtObjects({ steps }, snapshot), cluster)

describe('what live objects say that a plan touches', () => {
  test('is read of its nodes, of the pods that stop and of what owns these, each once', () => {
    const evict = { kind: 'evict', pod: 'lab/chat', uid: 'u', workload: 'lab/Deployment/chat', because: '' } as const
    const steps = [
      stepOf({ kind: 'cordon', node: 'a' }),
      stepOf(evict),
      stepOf({ kind: 'cordon', node: 'a' }, ['lab/chat']),
    ]
    const helm = {
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'meta.helm.sh/release-name': 'r' },
    }
    const cluster = {
      nodes: [{ metadata: KEPT }],
      deployments: [{ metadata: helm }],
      pods: [{ metadata: { annotations: { 'septet.io/keep': 'soon' } } }],
    }
    const free = { owner: { kind: 'free', tool: undefined, application: '' }, autoscaler: undefined }
    expect(look(steps, cluster)).toEqual([
      { ...free, object: 'node/a', keep: { kind: 'for-good' } },
      {
        object: 'workload/lab/Deployment/chat',
        keep: { kind: 'none' },
        owner: expect.objectContaining({ kind: 'gitops', tool: 'helm' }),
        autoscaler: undefined,
      },
      { ...free, object: 'pod/lab/chat', keep: { kind: 'unreadable', text: 'soon' } },
    ])
  })

  test('is read of the workload that a step changes, also where none of its pods stops', () => {
    const steps = [stepOf({ kind: 'scale', workload: 'web/Deployment/api', from: 2, to: 1 })]
    expect(look(steps, { deployments: [{ metadata: KEPT }] })).toMatchObject([
      { object: 'workload/web/Deployment/api', keep: { kind: 'for-good' } },
    ])
  })

  test('is nothing where they are gone, or where Septet stops nothing of their kind', () => {
    const bare = { kind: 'scale', workload: 'lab/Pod/chat', from: 1, to: 0 } as const
    expect(look([stepOf({ kind: 'cordon', node: 'a' }, ['lab/chat']), stepOf(bare)], {})).toEqual([])
  })
})
