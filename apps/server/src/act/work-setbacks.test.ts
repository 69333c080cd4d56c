import {
  HOUR_MS,
  MINUTE_MS,
  instant,
  type ActionRun,
  type ClusterSnapshot,
  type GpuStay,
  type Instant,
  type SignsQuery,
  type WorkReader,
  type WorkSigns,
} from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { keptFrom, runOf, WORKLOAD } from '../savings/scripted-usage.fixture.ts'
import { openWorkSetbacks } from './work-setbacks.ts'

const CHANGED = Date.UTC(2026, 10, 18, 14)
/** One pod that the change made, of which no usage is known yet, and one that waits. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a snapshot only the pods are read
const SNAPSHOT = {
  pods: [
    { id: 'ml/vllm-new', workload: WORKLOAD, node: 'gpu-1', phase: 'Running' },
    { id: 'ml/vllm-next', workload: WORKLOAD, node: undefined, phase: 'Pending' },
    { id: 'ml/other', workload: 'ml/Deployment/other', node: 'gpu-1', phase: 'Running' },
  ],
} as unknown as ClusterSnapshot
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** One that was verified at the change, and gave its workload another size. */
function watched(kind: 'resize' | 'scale' = 'resize', to = 0): ActionRun {
  const run = runOf('r', { class: 'right-size', states: keptFrom(CHANGED - MINUTE_MS).slice(0, -1) })
  const action =
    kind === 'scale'
      ? { kind, workload: WORKLOAD, from: 2, to }
      : { kind, workload: WORKLOAD, namespace: 'ml', to: { resource: 'nvidia.com/mig-1g.10gb', count: 1 } }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of an action only what it is about is read
  const steps = [{ number: 1, action }] as unknown as ActionRun['plan']['steps']
  return { ...run, plan: { ...run.plan, steps } }
}
const slow: WorkSigns['work'] = {
  unit: 'tokens',
  source: 'vllm',
  since: 100,
  before: [1000, 1001, 1002, 999, 998, 1000, 1000],
}

function opened(answer: (query: SignsQuery) => Promise<WorkSigns>) {
  const asked: SignsQuery[] = []
  const work: WorkReader = {
    work: async () => undefined,
    signs: (query) => {
      asked.push(query)
      return answer(query)
    },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a stay only its pod is read
  const usage = { stays: async () => [{ pod: 'ml/vllm-a' }, { pod: 'ml/vllm-b' }] as unknown as readonly GpuStay[] }
  const setbacks = openWorkSetbacks({ usage, work, log: quiet })
  return { asked, look: (run: ActionRun, now: Instant) => setbacks(run, now, SNAPSHOT) }
}
const at = (minutes: number) => instant(CHANGED + minutes * MINUTE_MS)

describe('work that slows down while a change is watched', () => {
  test('is told with how it was, a quarter of an hour after at the earliest, and asked for once a minute', async () => {
    const { asked, look } = opened(async ({ seconds }) => ({ seconds, work: slow }))
    const run = watched()
    expect(await look(run, at(14))).toEqual({ kind: 'fine' })
    expect(asked).toEqual([])
    const found = await look(run, at(18))
    expect(found).toEqual({
      kind: 'worse',
      because: expect.stringMatching(
        /^ml\/Deployment\/vllm does \d+ tokens an hour since the change, 3,529 at this time/u,
      ),
    })
    expect(await look(run, instant(at(18) + 20_000))).toBe(found)
    expect(asked).toMatchObject([
      { workload: WORKLOAD, pods: ['vllm-a', 'vllm-b', 'vllm-new'], at: at(17), seconds: 1020 },
    ])
    expect(asked[0]?.running).toEqual(['vllm-new'])
    await look(run, at(200))
    expect(asked[1]).toMatchObject({ seconds: HOUR_MS / 1000 })
  })

  test('is none of work that is to stop', async () => {
    const stopping = opened(async ({ seconds }) => ({ seconds, work: slow }))
    expect(await stopping.look(watched('scale', 0), at(20))).toEqual({ kind: 'fine' })
    const shrinking = opened(async ({ seconds }) => ({ seconds, work: slow }))
    expect(await shrinking.look(watched('scale', 1), at(20))).toMatchObject({ kind: 'worse' })
  })
})

describe('work of which nothing is heard', () => {
  test('is unknown while the metrics engine does not answer, since it was heard last', async () => {
    let isAway = false
    const { look } = opened(({ seconds }) =>
      isAway ? Promise.reject(new Error('Connection refused.')) : Promise.resolve({ seconds }),
    )
    expect(await look(watched(), at(20))).toEqual({ kind: 'fine' })
    isAway = true
    for (const minutes of [25, 40]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await look(watched(), at(minutes))).toEqual({
        kind: 'unknown',
        because: 'The metrics engine is not responding, so its work is not counted. Connection refused.',
        since: at(20),
      })
    }
    isAway = false
    expect(await look(watched(), at(45))).toEqual({ kind: 'fine' })
  })
  test('is unknown since the change where an engine has gone silent with all that its pods told', async () => {
    const silent = { unit: 'tokens', source: 'vllm', before: [1, 2, 3, 4, 5, 6, 7], isSeen: false }
    const { look } = opened(async ({ seconds }) => ({ seconds, silent }))
    expect(await look(watched(), at(20))).toMatchObject({ kind: 'unknown', since: at(0) })
  })
  test('is a setback where its pods run and tell everything else', async () => {
    const silent = {
      unit: 'tokens',
      source: 'vllm',
      before: [9, 9, 9, 9, 9, 9, 9].map((each) => each * 1000),
      isSeen: true,
    }
    const { look } = opened(async ({ seconds }) => ({ seconds, silent }))
    expect(await look(watched(), at(20))).toMatchObject({
      kind: 'worse',
      because: expect.stringContaining('have stopped'),
    })
  })
})
