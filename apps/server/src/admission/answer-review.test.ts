import { instant, type AdmissionRecord } from '@septet/domain'
import { expect, test } from 'vitest'

import { BUDGET_MS, ReviewAnswers } from './answer-review.ts'

test('an answer past the budget lets the pod pass as it is, and nothing is written down', () => {
  let clock = 0
  const records: AdmissionRecord[] = []
  const lines: string[] = []
  const note = (text: string) => void lines.push(text)
  const answers = new ReviewAnswers({
    read: () => ({ uid: 'u-1', isDryRun: false, pod: POD }),
    viewOf: () => {
      clock += BUDGET_MS + 1
      return { takenAt: instant(0), sizes: new Map(), nodes: [], quotas: [] }
    },
    permissionOf: () => undefined,
    record: (_, record) => records.push(record),
    log: { info: note, warn: note, error: note },
    now: () => 0,
    clock: () => clock,
  })
  expect(answers.answer({ cluster: 'lab', mode: 'mutate', began: 0 }, {}).response).toEqual({
    uid: 'u-1',
    allowed: true,
  })
  expect(records).toEqual([])
  expect(lines).toEqual(['an answer about a new pod took too long, so the pod stays as it is'])
})

const POD = {
  namespace: 'lab',
  name: 'chat-',
  labels: {},
  annotations: { 'septet.io/gpu-memory': 'x' },
  owners: ['lab/Pod/chat-'] as const,
  requests: [{ resource: 'nvidia.com/gpu', count: 1 }],
  containers: [],
  claims: false,
  queued: false,
  scheduling: {
    cpuMilli: 0,
    memory: 0 as never,
    nodeSelector: {},
    nodeTerms: [],
    tolerations: [],
    priority: 0,
    managed: true,
    evictable: true,
  },
}
