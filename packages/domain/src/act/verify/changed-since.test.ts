import { expect, test } from 'vitest'

import { textsAt } from '../live-object.ts'
import type { Action } from '../../plan/words/action.ts'
import { decided, type LiveCluster } from '../decide/decide.fixture.ts'
import { configFor } from '../decide/share-step.ts'
import { changedSince } from './changed-since.ts'

const since = (action: Action, cluster: LiveCluster) => decided(changedSince({ steps: [{ action } as never] }), cluster)
const replicas = (count: number) => ({ deployments: [{ metadata: { name: 'chat' }, spec: { replicas: count } }] })
const scale = (from: number, to: number): Action => ({ kind: 'scale', workload: 'ml/Deployment/chat', from, to })
const labelled = (labels: Record<string, string>) => ({ nodes: [{ metadata: { name: 'a', labels } }] })

test('replicas that somebody has set since are found, whatever they are', () => {
  expect(since(scale(6, 4), replicas(4))).toBeUndefined()
  expect(since(scale(6, 4), replicas(6))).toEqual({
    because: 'Someone set the replicas of ml/Deployment/chat to 6 since.',
    isGone: true,
  })
  expect(since(scale(6, 0), replicas(0))).toBeUndefined()
  expect(since(scale(6, 0), replicas(1))).toEqual({
    because: 'Someone started ml/Deployment/chat again.',
    isGone: true,
  })
  // What is gone altogether holds no GPU.
  expect(since(scale(6, 4), {})).toBeUndefined()
})

const asking = (count: string) => ({
  deployments: [
    {
      metadata: { name: 'chat' },
      spec: {
        template: { spec: { containers: [{ name: 'c', resources: { limits: { 'nvidia.com/gpu': count } } }] } },
      },
    },
  ],
})

test('a size that somebody has set since is found', () => {
  const [from, to] = [2, 1].map((count) => [{ resource: 'nvidia.com/gpu', count }])
  const resize: Action = { kind: 'resize', workload: 'ml/Deployment/chat', from: from ?? [], to: to ?? [] }
  expect(since(resize, asking('1'))).toBeUndefined()
  expect(since(resize, asking('2'))?.isGone).toBe(true)
})

test('a label that somebody has set since is named; whether the layout is another, the readings tell', () => {
  const cut: Action = { kind: 'repartition', node: 'a', config: 'septet-1', gpus: [] }
  expect(since(cut, labelled({ 'nvidia.com/mig.config': 'septet-1' }))).toBeUndefined()
  expect(since(cut, labelled({ 'nvidia.com/mig.config': 'theirs' }))).toEqual({
    because: 'Someone set nvidia.com/mig.config of a to "theirs" since.',
    isGone: false,
  })
  expect(since(cut, {})).toBeUndefined()
  const to = { kind: 'time-slicing', replicas: 2 } as const
  const share: Action = { kind: 'share', node: 'a', from: { kind: 'none' }, to, tenant: 'ml' }
  const [node = {}] = labelled({}).nodes
  const shared = labelled({ 'nvidia.com/device-plugin.config': configFor(to, node).key })
  expect(textsAt(shared.nodes[0], 'metadata', 'labels')).not.toEqual({})
  expect(since(share, shared)).toBeUndefined()
  expect(since(share, labelled({}))?.isGone).toBe(false)
})
