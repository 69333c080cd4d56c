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
import { describe, expect, test } from 'vitest'

import { draw } from '@septet/domain/testing'
import type { ClusterFacts, RangeAnalysis } from '../facts.ts'
import { ModelFacts } from './model-facts.ts'
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
function pair(given: Partial<ClusterFacts> = {}) {
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
    analysis: async () => analysis,
    plan: async () => undefined,
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
  const remote = new ModelFacts(record, (asking) => void writer.hear(asking))
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
})
