import { instant, type ActionRun, type GpuStay, type SignsQuery, type WorkReader, type WorkSigns } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { HOUR, keptFrom, runOf, WORKLOAD } from '../savings/scripted-usage.fixture.ts'
import { openWorkSetbacks } from './work-setbacks.ts'

const MINUTE = 60_000
const CHANGED = Date.UTC(2026, 10, 18, 14)
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** One that was verified at the change, and gave its workload another size. */
function watched(kind: 'resize' | 'scale' = 'resize', to = 0): ActionRun {
  const run = runOf('r', { class: 'right-size', states: keptFrom(CHANGED - MINUTE).slice(0, -1) })
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
  return { asked, look: openWorkSetbacks({ usage, work, log: silent }) }
}
const at = (minutes: number) => instant(CHANGED + minutes * MINUTE)

describe('work that slows down while a change is watched', () => {
  test('is told with how it was, a quarter of an hour after at the earliest, and asked for once a minute', async () => {
    const { asked, look } = opened(async ({ seconds }) => ({ seconds, work: slow }))
    const run = watched()
    expect(await look(run, at(14))).toBeUndefined()
    expect(asked).toEqual([])
    const says = await look(run, at(18))
    expect(says).toMatch(/^ml\/Deployment\/vllm does \d+ tokens an hour since the change, 3,529 at this time/u)
    expect(await look(run, instant(at(18) + 20_000))).toBe(says)
    expect(asked).toMatchObject([{ workload: WORKLOAD, pods: ['vllm-a', 'vllm-b'], at: at(17), seconds: 1020 }])
    await look(run, at(200))
    expect(asked[1]).toMatchObject({ seconds: HOUR / 1000 })
  })

  test('is none of work that is to stop, and an engine that does not answer takes nothing back', async () => {
    const stopping = opened(async ({ seconds }) => ({ seconds, work: slow }))
    expect(await stopping.look(watched('scale', 0), at(20))).toBeUndefined()
    const shrinking = opened(async ({ seconds }) => ({ seconds, work: slow }))
    expect(await shrinking.look(watched('scale', 1), at(20))).toMatch(/tokens/u)
    const away = opened(() => Promise.reject(new Error('away')))
    expect(await away.look(watched(), at(20))).toBeUndefined()
  })
})
