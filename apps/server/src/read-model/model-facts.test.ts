import type { ServerEvent } from '@septet/contract'
import {
  type ModelSection,
  analyzeCluster,
  instant,
  type ConnectionState,
  type JudgedSample,
  type Problem,
  type TargetState,
  theLast,
} from '@septet/domain'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { draw } from '@septet/domain/testing'
import type { ClusterFacts, RangeAnalysis } from '../facts.ts'
import { ModelFacts } from './model-facts.ts'
import { LoopRecord } from '../repeat.ts'
import { ModelWriter } from './model-writer.ts'

const record = { id: 'drawn', name: 'Drawn', kind: 'cluster', createdAt: instant(0) } as const
const snapshot = draw`
  node-a  A100-SXM4-80GB  [4g.40gb -] [3g.40gb lab/train-7]
  node-b  H100-80GB-HBM3  [lab/train-8]`
const window = { from: instant(0), to: instant(86_400_000) }
const analysis: RangeAnalysis = {
  trendStep: 3600,
  madeAt: window.to,
  analysis: analyzeCluster({
    snapshot,
    totals: { parts: [], trend: [], trendSpan: '1h' },
    prices: [],
    window,
  }),
}
const sample: JudgedSample = {
  at: instant(5),
  node: 'node-b',
  gpu: 'GPU-node-b-0',
  index: 0,
  model: 'H100',
  quality: { kind: 'missing', reason: 'no-telemetry' },
}

/** Local facts, and those of a thread that has only their read model. */
function pair(given: Partial<ClusterFacts> = {}, heard?: (event: ServerEvent) => void) {
  const local: ClusterFacts = {
    record,
    connection: (): ConnectionState => ({ kind: 'connected', lastContact: instant(9), problems: [] }),
    picture: () => snapshot,
    size: () => ({ serverVersion: 'v1.34.0', nodes: 2, gpus: 2, devices: 1 }),
    samples: () => samples,
    idle: () => idle,
    targets: () => targets,
    problems: (): Problem[] => [{ code: 'c', message: 'M.', object: 'node/node-a' }],
    asOf: () => instant(7),
    history: () => ({ done: 1, of: 2, detail: 'd' }),
    acting: () => ({ kind: 'ready' }),
    admission: () => undefined,
    health: () => undefined,
    analysis: async () => analysis,
    plan: async () => undefined,
    files: async () => undefined,
    start: async () => [],
    workload: async () => undefined,
    judge: async () => [],
    tokens: async () => ({ kind: 'unread', because: 'nobody counts' }),
    outlook: async () => undefined,
    ...given,
  }
  const samples = new Map([['GPU-node-b-0', sample]])
  const idle = new Set(['GPU-node-b-0'])
  const targets: TargetState[] = [{ target: 't', node: 'node-a', kind: 'up', lastSeen: instant(3), detail: '' }]
  const written: ModelSection[] = []
  const writer = new ModelWriter({
    facts: local,
    firstVersion: 100,
    write: (sections) => {
      written.push(...sections)
      remote.take(structuredClone(sections))
    },
    answer: (answer) => remote.takeAnswer(structuredClone(answer)),
  })
  const remote = new ModelFacts(record, (asking) => void writer.hear(asking), heard)
  return { local, remote, writer, written }
}

describe('facts of a pipeline that runs elsewhere', () => {
  test('before anything is written, the cluster is being connected and nothing is known', () => {
    const { remote } = pair()
    expect(remote.connection().kind).toBe('connecting')
    expect([remote.picture(), remote.size(), remote.asOf()]).toEqual([undefined, undefined, undefined])
    expect([remote.samples().size, remote.targets().length, remote.idle().size]).toEqual([0, 0, 0])
  })

  test('are what the pipeline knows', () => {
    const { local, remote, writer } = pair()
    writer.publish()
    const { nodes, allocations, workloads } = snapshot
    expect(remote.picture()).toEqual({ nodes, allocations, workloads })
    expect(new Map(remote.samples())).toEqual(local.samples())
    for (const name of ['connection', 'size', 'idle', 'targets', 'problems', 'asOf', 'history'] as const) {
      expect([name, remote[name]()]).toEqual([name, local[name]()])
    }
  })

  test('an analysis arrives whole, lists and tables too', async () => {
    const { remote } = pair()
    const told = await remote.analysis(theLast('24h'))
    expect(told).toEqual(analysis)
    expect(told?.analysis.workloads.length).toBeGreaterThan(0)
  })

  test('what has not changed is not written again', async () => {
    const { remote, writer, written } = pair()
    writer.publish()
    await remote.analysis(theLast('24h'))
    const before = written.length
    writer.publish()
    await remote.analysis(theLast('24h'))
    expect(written.length).toBe(before)
  })

  test('anything that is taken, and another name, makes a new edition', async () => {
    const { remote, writer } = pair()
    const editions = [remote.edition()]
    const isNew = (): boolean => !editions.includes(remote.edition()) && editions.push(remote.edition()) > 0
    writer.publish()
    expect(isNew()).toBe(true)
    await remote.analysis(theLast('24h'))
    expect(isNew()).toBe(true)
    await remote.analysis(theLast('24h'))
    expect(isNew()).toBe(false)
    writer.publish({ kind: 'recommendations', cluster: record.id, asOf: '2026-01-01T00:00:00.000Z' })
    expect(isNew()).toBe(true)
    remote.rename({ ...record, name: 'Other' })
    expect(isNew()).toBe(true)
  })

  test('every section has a version of its own, above those before', () => {
    const { remote, writer, written } = pair()
    writer.publish()
    const versions = written.map(({ version }) => version)
    expect(versions).toEqual(versions.map((_, at) => 101 + at))
    expect(remote.version()).toBe(versions.at(-1))
  })

  test('whoever waits hears that there is no analysis yet, and asks again later', async () => {
    const answers = [undefined, analysis]
    const { remote } = pair({ analysis: async () => answers.shift() })
    expect(await remote.analysis(theLast('1h'))).toBeUndefined()
    expect(await remote.analysis(theLast('1h'))).toEqual(analysis)
  })

  test('analyses of namespaces are told apart from one another and from the whole', async () => {
    const asked: unknown[] = []
    const { remote } = pair({
      analysis: async (_range, namespaces) => {
        asked.push(namespaces)
        return { ...analysis, trendStep: namespaces === undefined ? 0 : 1 + namespaces.length }
      },
    })
    const steps = async () => {
      const told = [undefined, [], ['a'], ['a', 'b']].map((namespaces) => remote.analysis(theLast('24h'), namespaces))
      return (await Promise.all(told)).map((one) => one?.trendStep)
    }
    expect(await steps()).toEqual([0, 1, 2, 3])
    expect(await steps()).toEqual([0, 1, 2, 3])
    expect(asked.slice(0, 4)).toEqual([undefined, [], ['a'], ['a', 'b']])
  })

  test('an analysis that was forgotten is told again', async () => {
    const made = new Map<string, RangeAnalysis>()
    const { remote } = pair({
      analysis: async (_range, [name = ''] = []) => {
        const one = made.get(name) ?? { ...analysis, trendStep: made.size }
        made.set(name, one)
        return one
      },
    })
    for (let order = 0; order < 100; order++) await remote.analysis(theLast('24h'), [`team-${order}`])
    expect((await remote.analysis(theLast('24h'), ['team-0']))?.trendStep).toBe(0)
    expect((await remote.analysis(theLast('24h'), ['team-99']))?.trendStep).toBe(99)
  })

  test('a failure keeps its name, and nobody waits for a pipeline that is gone', async () => {
    const down = Object.assign(new Error('The database is not responding.'), { name: 'StoreError' })
    const failing = pair({ analysis: () => Promise.reject(down) })
    await expect(failing.remote.analysis(theLast('24h'))).rejects.toMatchObject({
      name: 'StoreError',
      message: down.message,
    })
    const silent = new ModelFacts(record)
    const waiting = [silent.analysis(theLast('24h')), silent.workload('lab/Job/a')]
    silent.abandon(new Error('interrupted'))
    for (const each of waiting) await expect(each).rejects.toThrow('interrupted')
  })

  test('a pipeline that says nothing any more is told with when it said something last, until it is heard again', () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const heard: ServerEvent[] = []
    const { local, remote, writer } = pair({}, (event) => heard.push(event))
    expect(remote.problems()).toEqual([])
    writer.publish()
    vi.advanceTimersByTime(19_999)
    expect(remote.problems()).toEqual(local.problems())
    expect(heard).toEqual([])
    vi.advanceTimersByTime(1)
    expect(heard).toMatchObject([{ kind: 'inventory', cluster: 'drawn' }])
    expect(remote.problems()).toEqual([
      {
        code: 'pipeline-silent',
        message:
          'The part of Septet that reads Drawn is not responding; the newest data is from 1970-01-01 00:00 UTC. Septet starts it again if it has failed. If this lasts, restart Septet.',
        object: 'pipeline',
      },
      ...local.problems(),
    ])
    remote.take([])
    expect(remote.problems()).toEqual(local.problems())
  })

  test('of one kind so many may wait, and no more: they are refused with a time to come back', async () => {
    const { remote } = pair({ start: () => new Promise(() => undefined) })
    const question = { jobs: [], namespaces: undefined }
    const waiting = Array.from({ length: 64 }, () => remote.start(question))
    await expect(remote.start(question)).rejects.toMatchObject({ code: 'not-ready', retryAfter: 5 })
    remote.abandon(new Error('over'))
    await expect(Promise.allSettled(waiting)).resolves.toHaveLength(64)
  })
})

test('how the work of a pipeline goes is told every few seconds, and at once when something begins to fail', async () => {
  const loop = new LoopRecord('store', 1000)
  const { remote, writer, written } = pair({
    health: () => ({ loops: [loop.state()], sources: [], unwrittenRows: 7 }),
  })
  expect(remote.health()).toBeUndefined()
  writer.publish()
  expect(remote.health()).toMatchObject({ loops: [{ name: 'store', failures: 0 }], unwrittenRows: 7 })

  const toldOf = (): number => written.filter(({ key }) => key === 'health').length
  writer.publish()
  expect(toldOf()).toBe(1)
  await loop.run(() => Promise.reject(new Error('away'))).catch(() => undefined)
  writer.publish()
  expect(remote.health()?.loops).toMatchObject([{ failures: 1, because: 'away' }])
  expect(toldOf()).toBe(2)
})
