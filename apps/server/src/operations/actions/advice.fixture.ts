import { instant, ratio, seconds, type Recommendation } from '@septet/domain'

/** A recommendation to stop one idle workload, which a plan of one step carries out. */
export const adviceOf = (cluster: string, madeAt: number, plan = 'plan-1'): Recommendation => ({
  id: 'reclaim-idle-1',
  cluster,
  kind: 'reclaim-idle',
  object: 'workload/team/Deployment/chat',
  title: 'Scale team/chat to 0',
  message: 'It is idle.',
  rule: { name: 'reclaim-idle', version: 1 },
  madeAt: instant(madeAt),
  evidence: {
    query: '',
    window: { from: instant(0), to: instant(madeAt) },
    samples: 1,
    coverage: ratio(1),
    figures: {},
  },
  saving: {
    kind: 'estimated',
    gpuHoursPerMonth: 730,
    usdPerMonth: undefined,
    price: { kind: 'unknown', because: 'No price is known.' },
    effect: 'capacity-freed',
  },
  risk: {
    level: 'low',
    displaced: ['team/chat-0'],
    duration: { low: seconds(1), high: seconds(2), source: 'assumed: a test' },
    overrun: undefined,
    confidence: ratio(1),
  },
  plan: {
    id: plan,
    cluster,
    madeFrom: instant(madeAt),
    title: 'Scale team/chat to 0',
    steps: [
      {
        number: 1,
        action: { kind: 'scale', workload: 'team/Deployment/chat', from: 1, to: 0 },
        title: 'Scale team/Deployment/chat from 1 to 0 pods',
        preconditions: [],
        effect: 'It stops.',
        displaced: ['team/chat-0'],
        duration: { low: seconds(1), high: seconds(2), source: 'assumed: a test' },
        inverse: [{ kind: 'scale', workload: 'team/Deployment/chat', from: 0, to: 1 }],
      },
    ],
    moves: [],
    refused: [],
    bound: undefined,
  },
  rank: 1,
})
