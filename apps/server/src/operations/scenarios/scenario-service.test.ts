import type { Scenario, ScenarioSource } from '@septet/domain'
import { expect, test, vi } from 'vitest'
import { openScenarioService, type RunScenario, runScenarioHere } from './scenario-service.ts'

const SCENARIO: Scenario = {
  from: 'week',
  changes: [],
  boards: 'same',
  sizes: 'held',
}
const PODS = 3000
const SOURCE: ScenarioSource = {
  cluster: 'lab',
  kind: 'week',
  from: 0,
  to: 86_400_000,
  groups: [{ model: 'A100-SXM4-80GB', pool: '', nodes: 2, gpusPerNode: 4, price: 1, cuts: [] }],
  shapes: [{ model: 'A100-SXM4-80GB', size: { kind: 'mig', profile: '1g.10gb' } }],
  jobs: {
    at: Array.from({ length: PODS }, (_, pod) => pod * 20),
    stays: Array.from({ length: PODS }, () => 900),
    shape: Array<number>(PODS).fill(0),
    fit: Array<number>(PODS).fill(0),
    tenant: Array<number>(PODS).fill(0),
    work: Array<number>(PODS).fill(0.1),
  },
  notes: [],
}
const source = () => Promise.resolve(SOURCE)

const visitor = (id: string) => ({ id: `visitor:${id}`, kind: 'visitor' as const })
const known = (id: string) => ({ id, kind: 'account' as const })

/** One that runs until it is told to end. */
function held(): { readonly run: RunScenario; readonly cancelled: () => number } {
  let cancelled = 0
  const run: RunScenario = (_question, progress) => {
    const { promise, reject } = Promise.withResolvers<never>()
    progress(1, 10)
    return {
      answer: promise,
      cancel: () => {
        cancelled += 1
        reject(new Error('stopped'))
      },
    }
  }
  return { run, cancelled: () => cancelled }
}

test('a scenario is computed, with progress, and its result is there for anyone who asked', async () => {
  const service = openScenarioService(runScenarioHere, () => 0)
  const { id, state } = service.start(known('ana'), SCENARIO, source)
  expect(state).toBe('running')
  await vi.waitFor(() => expect(service.get('ana', id).done).toBeGreaterThan(0), { timeout: 20_000 })
  await vi.waitFor(() => expect(service.get('ana', id).state).toBe('done'), { timeout: 20_000 })
  expect(service.get('ana', id).result?.outcomes.map(({ way }) => way)).toEqual(['today', 'best-fit', 'septet'])
  expect(() => service.get('ben', id)).toThrow('You have no such scenario')
})

test('one is computed at a time, and the next begins when it is cancelled', async () => {
  const { run, cancelled } = held()
  const service = openScenarioService(run, () => 0)
  const first = service.start(known('ana'), SCENARIO, source)
  const second = service.start(known('ben'), SCENARIO, source)
  expect(second).toMatchObject({ state: 'waiting', ahead: 1 })
  await vi.waitFor(() => expect(service.get('ana', first.id).done).toBe(1))
  service.cancel('ana', first.id)
  expect(cancelled()).toBe(1)
  expect(() => service.get('ana', first.id)).toThrow('no such scenario')
  await vi.waitFor(() => expect(service.get('ben', second.id).state).toBe('running'))
})

test('nobody fills the line: two of one caller, eight of all; visitors one each, and four', () => {
  const service = openScenarioService(held().run, () => 0)
  for (const id of ['1', '2', '3', '4']) service.start(visitor(id), SCENARIO, source)
  expect(() => service.start(visitor('1'), SCENARIO, source)).toThrow('1 of your scenarios is running or queued')
  expect(() => service.start(visitor('5'), SCENARIO, source)).toThrow('4 scenarios are running')
  for (const id of ['a', 'a', 'b', 'b']) service.start(known(id), SCENARIO, source)
  expect(() => service.start(known('a'), SCENARIO, source)).toThrow('2 of your scenarios')
  expect(() => service.start(known('e'), SCENARIO, source)).toThrow('8 scenarios are running')
})

test('what cannot be read or takes too long fails with words, and the next goes on', async () => {
  vi.useFakeTimers()
  try {
    const service = openScenarioService(held().run, () => 0)
    const unread = service.start(known('ana'), SCENARIO, () =>
      Promise.reject(new Error('The database is not responding.')),
    )
    const long = service.start(known('ana'), SCENARIO, source)
    await vi.advanceTimersByTimeAsync(1)
    expect(service.get('ana', unread.id)).toMatchObject({
      state: 'failed',
      problem: 'Error: The database is not responding.',
    })
    expect(service.get('ana', long.id).state).toBe('running')
    await vi.advanceTimersByTimeAsync(120_000)
    expect(service.get('ana', long.id)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('longer than 120 s'),
    })
  } finally {
    vi.useRealTimers()
  }
})
