import { Refusal, type CopilotAnswer, type OperationKey } from '@septet/contract'
import type { Ask } from '@septet/tools'
import { describe, expect, test } from 'vitest'

import { answerByRules } from './answer-by-rules.ts'
import { someCluster } from './some-cluster.fake.ts'

const AT = '2026-11-23T12:00:00Z'
type Answers = Partial<Record<OperationKey, (input: never) => unknown>>

/** Answers with what a cluster says, and with the names of `someCluster` where nothing is said. */
const tell = async (question: string, answers: Answers, after?: CopilotAnswer['intent']) => {
  const ask: Ask = async (key, input) => {
    const names = await someCluster(key, input)
    return { ...(names as object | undefined), ...((await answers[key]?.(input as never)) as object) } as never
  }
  const answer = await answerByRules({ question, cluster: undefined, after }, { ask, now: Date.parse(AT), id: 'x' })
  return { ...answer, text: answer.sentences.map(({ text }) => text).join(' ') }
}

const block = (kind: string, profile: string | null = null) => ({ kind, profile, start: 0, size: 1 })
const gpu = (mode: string, blocks: readonly object[], more = {}) => ({
  id: `${mode}-0`,
  index: 0,
  model: 'H100-80GB-HBM3',
  mode,
  blocks,
  fault: null,
  ...more,
})
const node = (name: string, gpus: readonly object[], more = {}) => ({
  node: name,
  model: 'H100-80GB-HBM3',
  ready: true,
  schedulable: true,
  total: gpus.length,
  used: 0,
  available: gpus.length,
  problems: [],
  gpus,
  ...more,
})
const listed = (nodes: readonly object[]) => ({ partitionsList: () => ({ asOf: AT, total: nodes.length, nodes }) })

describe('what is free', () => {
  const mig = gpu('mig', [
    block('free', '1g.10gb'),
    block('free', '2g.20gb'),
    block('free', '1g.10gb'),
    block('busy', '1g.10gb'),
  ])

  test('is told of whole GPUs and of MIG instances, each with evidence', async () => {
    const { verdict, text, sentences } = await tell(
      'How many H100s are free right now?',
      listed([node('node-a', [mig])]),
    )
    expect([verdict, text]).toEqual([
      'answered',
      'As of 2026-11-23 12:00 UTC, 0 whole H100s are free. 3 MIG instances are: 1 × 2g.20gb, 2 × 1g.10gb. They are on “node-a”.',
    ])
    expect(sentences.every(({ cites }) => cites.length > 0)).toBe(true)
  })

  test('counts neither other boards nor what is broken or on a node that is not ready', async () => {
    const nodes = [
      node('node-a', [gpu('whole', [block('free')]), gpu('whole', [block('free')], { model: 'A100-SXM4-80GB' })]),
      node('node-b', [gpu('whole', [block('free')], { fault: { message: 'XID 79' } })]),
      node('node-c', [gpu('whole', [block('free')])], { ready: false }),
    ]
    expect((await tell('How many H100s are free?', listed(nodes))).text).toContain(
      '1 whole H100 is free. No MIG instance is.',
    )
  })

  test('is unknown while the cluster was not read', async () => {
    const unread = { asOf: null, total: 0, nodes: [], facets: { models: [], pools: [], states: [] } }
    const { verdict, text } = await tell('Which GPUs are free?', { partitionsList: () => unread })
    expect([verdict, text]).toEqual(['cannot', 'What is free is unknown: the cluster has not been read yet.'])
  })
})

const refused = () => Promise.reject(new Refusal('not-allowed', 'Only admins.', 'Ask one.'))

describe('without tenant rules', () => {
  const hours = { used: 1, idleHeld: 2, oversized: 0, capacity: 3, unmeasured: 0 }
  const costBreakdown = ({ by }: { by: string }) => ({
    asOf: AT,
    observedSeconds: 3600,
    notes: [],
    total: { gpuHours: hours, usd: hours },
    groups: [
      {
        id: 'a',
        key: by === 'tenant' ? '' : 'lab',
        kind: by === 'tenant' ? 'none' : 'named',
        gpuHours: hours,
        usd: hours,
      },
    ],
  })

  test.each([
    ['Which team spent the most this week?', 'so no cost is assigned to a team', '“lab” cost the most'],
    ['Which team wastes most?', 'so no GPU time is assigned to a team', '“lab” left the most GPU time idle'],
  ])('“%s” is answered by namespace, and says why', async (question, why, first) => {
    const { verdict, text, sentences } = await tell(question, { costBreakdown, tenantsGet: () => ({ tenants: [] }) })
    expect(verdict).toBe('answered')
    expect(text).toContain(`No tenant rules are set up, ${why} (Settings → Tenants). By namespace:`)
    expect(text).toContain(first)
    expect(sentences.every(({ cites }) => cites.length > 0)).toBe(true)
  })

  test('whoever may not see the rules is told that none matches', async () => {
    const { text } = await tell('Which team spent the most this week?', { costBreakdown, tenantsGet: refused })
    expect(text).toContain('No tenant rule matches this work, so no cost is assigned')
  })
})
