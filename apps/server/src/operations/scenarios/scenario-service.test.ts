import type { Scenario, ScenarioSource } from '@septet/domain'
import { expect, test, vi } from 'vitest'
import { notesInMemory } from '../../notes-in-memory.fixture.ts'
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
const opened = (runScenario: RunScenario, notes = notesInMemory()) =>
  openScenarioService({ runScenario, notes, now: Date.now })
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
  const service = opened(runScenarioHere)
  const { id, state } = await service.start(known('ana'), SCENARIO, source)
  expect(state).toBe('running')
  await vi.waitFor(async () => expect((await service.get('ana', id)).done).toBeGreaterThan(0), { timeout: 20_000 })
  await vi.waitFor(async () => expect((await service.get('ana', id)).state).toBe('done'), { timeout: 20_000 })
  expect((await service.get('ana', id)).result?.outcomes.map(({ way }) => way)).toEqual(['today', 'best-fit', 'septet'])
  await expect(service.get('ben', id)).rejects.toThrow('You have no such scenario')
})

test('one is computed at a time, and the next begins when it is cancelled', async () => {
  const { run, cancelled } = held()
  const service = opened(run)
  const first = await service.start(known('ana'), SCENARIO, source)
  const second = await service.start(known('ben'), SCENARIO, source)
  expect(second).toMatchObject({ state: 'waiting', ahead: 1 })
  await vi.waitFor(async () => expect((await service.get('ana', first.id)).done).toBe(1), 60_000)
  await service.cancel('ana', first.id)
  expect(cancelled()).toBe(1)
  await expect(service.get('ana', first.id)).rejects.toThrow('no such scenario')
  await vi.waitFor(async () => expect((await service.get('ben', second.id)).state).toBe('running'), 60_000)
})

test('nobody fills the line: two of one caller, eight of all; visitors one each, and four', async () => {
  const service = opened(held().run)
  for (const id of ['1', '2', '3', '4']) await service.start(visitor(id), SCENARIO, source)
  await expect(service.start(visitor('1'), SCENARIO, source)).rejects.toThrow(
    '1 of your scenarios is running or queued',
  )
  await expect(service.start(visitor('5'), SCENARIO, source)).rejects.toThrow('4 scenarios are running')
  for (const id of ['a', 'a', 'b', 'b']) await service.start(known(id), SCENARIO, source)
  await expect(service.start(known('a'), SCENARIO, source)).rejects.toThrow('2 of your scenarios')
  await expect(service.start(known('e'), SCENARIO, source)).rejects.toThrow('8 scenarios are running')
})

test('what cannot be read or takes too long fails with words, and the next goes on', async () => {
  vi.useFakeTimers()
  try {
    const service = opened(held().run)
    const unread = await service.start(known('ana'), SCENARIO, () =>
      Promise.reject(new Error('The database is not responding.')),
    )
    const long = await service.start(known('ana'), SCENARIO, source)
    await vi.advanceTimersByTimeAsync(1)
    expect(await service.get('ana', unread.id)).toMatchObject({
      state: 'failed',
      problem: 'Error: The database is not responding.',
    })
    expect((await service.get('ana', long.id)).state).toBe('running')
    await vi.advanceTimersByTimeAsync(120_000)
    expect(await service.get('ana', long.id)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('longer than 120 s'),
    })
  } finally {
    vi.useRealTimers()
  }
})

test('another server on the database tells how far it is, gives the result, and ends it', async () => {
  vi.useFakeTimers()
  try {
    const notes = notesInMemory()
    const { run, cancelled } = held()
    const [one, other] = [opened(run, notes), opened(runScenarioHere, notes)]
    const { id } = await one.start(known('ana'), SCENARIO, source)
    await vi.advanceTimersByTimeAsync(1000)
    expect(await other.get('ana', id)).toMatchObject({ state: 'running', done: 1, of: 10 })
    await expect(other.get('ben', id)).rejects.toThrow('You have no such scenario')
    await expect(other.cancel('ben', id)).rejects.toThrow('You have no such scenario')
    await other.cancel('ana', id)
    await vi.advanceTimersByTimeAsync(1000)
    expect(cancelled()).toBe(1)
    await expect(one.get('ana', id)).rejects.toThrow('no such scenario')

    const made = await other.start(known('ana'), SCENARIO, source)
    await vi.waitFor(async () => expect((await other.get('ana', made.id)).state).toBe('done'), { timeout: 20_000 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(await one.get('ana', made.id)).toEqual(await other.get('ana', made.id))
  } finally {
    vi.useRealTimers()
  }
})

test('of a server that stopped, the others say so', async () => {
  vi.useFakeTimers()
  try {
    const notes = notesInMemory()
    const stopped = { ...notes, renew: () => Promise.reject(new Error('gone')) }
    const [one, other] = [opened(held().run, stopped), opened(runScenarioHere, notes)]
    const { id } = await one.start(known('ana'), SCENARIO, source)
    await vi.advanceTimersByTimeAsync(20_000)
    expect((await other.get('ana', id)).state).toBe('running')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await other.get('ana', id)).toMatchObject({
      state: 'failed',
      problem: 'The Septet that computed it stopped before it was done. Start it again.',
    })
  } finally {
    vi.useRealTimers()
  }
})
