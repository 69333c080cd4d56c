import type { ShownAnswer } from './copilot-context.ts'

/** An answer with everything that one can hold. */
export const answerFixture = (more: Partial<ShownAnswer> = {}): ShownAnswer => ({
  id: 'one',
  at: '2026-05-04T09:41:00.000Z',
  question: 'Why is vllm-7 pending?',
  engine: { kind: 'rules', name: 'rules' },
  verdict: 'answered',
  sentences: [
    { text: 'vllm-7 waits for a 3g.40gb.', cites: [1] },
    { text: 'No node has one free.', cites: [2, 3] },
  ],
  blocks: [
    {
      kind: 'table',
      title: 'Waiting',
      columns: [
        { name: 'Workload', isNumber: false },
        { name: 'Wait', isNumber: true },
      ],
      rows: [
        { cells: ['ml/vllm-7', '14 min'], page: '/dashboard/workloads?workload=ml%2Fvllm-7' },
        { cells: ['ml/etl-3', '3 min'], page: null },
      ],
      total: 42,
    },
    {
      kind: 'slices',
      title: 'Nearest to it',
      gpus: [
        {
          node: 'gpu-a100-01',
          gpu: {
            id: 'GPU-1',
            index: 0,
            model: 'A100-80GB',
            mode: 'mig',
            slots: 8,
            fault: null,
            blocks: [
              {
                ...BLOCK,
                kind: 'busy',
                start: 0,
                size: 4,
                profile: '4g.40gb',
                busy: 0.8,
                holder: 'ml/Deployment/chat',
              },
              { ...BLOCK, kind: 'free', start: 4, size: 2, profile: '2g.20gb', busy: null, holder: null },
              { ...BLOCK, kind: 'stranded', start: 6, size: 2, profile: null, busy: null, holder: null },
            ],
          },
        },
      ],
    },
    { kind: 'chart', title: 'Busy', unit: 'ratio', points: [{ at: '2026-05-04T09:00:00.000Z', value: null }] },
  ],
  citations: [
    citation(1, { title: 'ml/vllm-7', page: '/dashboard/workloads?workload=ml%2Fvllm-7', source: '/api/v1/workloads' }),
    citation(2, { title: 'Partitions', page: '/dashboard/partitions', source: '/api/v1/partitions?state=free' }),
    citation(3, { title: 'Waits', page: null, source: '/api/v1/waits?cluster=demo' }),
  ],
  next: [
    { label: 'Where is a 3g.40gb free?', question: 'Where is a 3g.40gb free?', page: null },
    { label: 'Make room for it', question: null, page: '/dashboard/partitions?room=3g.40gb' },
  ],
  dropped: 0,
  ...more,
})

const BLOCK = { placement: 'reported', because: null } as const

type Citation = ShownAnswer['citations'][number]
function citation(number: number, rest: Pick<Citation, 'title' | 'page' | 'source'>): Citation {
  return { number, asOf: '2026-05-04T09:40:30.000Z', ...rest }
}
