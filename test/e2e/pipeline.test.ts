import { OPERATIONS, ProblemDocumentSchema, type Operation, type OutputOf } from '@septet/contract'
import { COST_PARTS } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { cordonFirstNode } from '../demo-api.ts'
import { eventually } from '../server-process.ts'
import { get, headers, json, openBeforeTests, septet } from './demo-answers.ts'

openBeforeTests()

type Summary = OutputOf<typeof OPERATIONS.summaryGet>

const cents = (figure: { value: number | null }) => Math.round((figure.value ?? Number.NaN) * 100)

const measuredOf = (values: readonly (number | null)[] = []) => values.filter((value) => value !== null)

const REFUSED = { success: true } as const
const isRefusal = (answer: unknown): boolean => {
  const parsed = ProblemDocumentSchema.safeParse(answer)
  return parsed.success && parsed.data.code === 'not-found' && parsed.data.todo !== ''
}

/** What some operations cannot be asked without. */
const NEEDED: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  'partitions.room': async () => ({ profile: '1g.10gb' }),
  'workloads.get': async () => {
    const { workloads } = await json<OutputOf<typeof OPERATIONS.workloadsList>>('/api/v1/workloads?cluster=demo')
    return { id: workloads[0]?.id ?? '' }
  },
  'search.find': async () => ({ query: 'gpu' }),
}

const card = (id = '') => json<OutputOf<typeof OPERATIONS.fleetGpu>>(`/api/v1/fleet/${id}?cluster=demo`)

const secondsOf = (all: readonly { readonly seconds: number }[]): number =>
  all.reduce((sum, { seconds }) => sum + seconds, 0)

/** A GPU of the demo that is not cut, of a model. */
async function firstWhole(model: RegExp): Promise<string | undefined> {
  const { frame } = await json<OutputOf<typeof OPERATIONS.fleetMap>>('/api/v1/fleet?cluster=demo')
  const { models = [], gpus } = frame ?? {}
  const isIt = (_: string, place: number): boolean =>
    model.test(models[gpus?.model[place] ?? -1] ?? '') && gpus?.mode[place] === 0
  return gpus?.id.find(isIt)
}

describe('the whole pipeline on the demo cluster', () => {
  test('every operation answers what its schema says, for the demo cluster and for sample data', async () => {
    for (const operation of Object.values<Operation>(OPERATIONS)) {
      if (operation.method !== 'GET' || operation.path.includes('/:')) continue
      const clusters = 'cluster' in operation.input.shape ? ['demo', 'sample'] : [undefined]
      for (const cluster of clusters) {
        // Right after the start some answers are not ready yet, and a workload that was listed may have ended since.
        const answer = await eventually(
          async () => {
            const needed = await NEEDED[operation.name]?.()
            return json(`${operation.path}?${new URLSearchParams({ ...needed, ...(cluster && { cluster }) })}`)
          },
          ({ code }) => code !== 'not-ready' && (cluster !== 'demo' || code !== 'not-found'),
        )
        // What sample data does not have is refused with what to do instead.
        const parsed = cluster === 'sample' && isRefusal(answer) ? REFUSED : operation.output.safeParse(answer)
        expect(parsed.success ? '' : `${operation.name} ${cluster}: ${parsed.error.message}`).toBe('')
      }
    }
  })

  test('the summary is live: figures are known, cover most devices, and cost parts add up to the cent', async () => {
    const summary = await eventually(
      () => json<Summary>('/api/v1/summary?cluster=demo&range=24h'),
      (answer) => answer.utilization.busy.value !== null && answer.cost.capacity.value !== null,
    )
    expect(summary.source.kind).toBe('demo')
    expect(summary.utilization.busy.value).toBeGreaterThan(0.05)
    expect(summary.utilization.busy.value).toBeLessThan(summary.utilization.allocated.value ?? 0)
    expect(summary.workloads.running).toBeGreaterThan(20)
    expect(summary.workloads.queued).toBeGreaterThan(0)
    expect(summary.capacity.unknown.length).toBeGreaterThan(0)
    const { capacity, hours } = summary.cost
    const parts = COST_PARTS.map((part) => summary.cost[part].value ?? Number.NaN)
    // Each is rounded to the millionth, so their sum is the whole to the cent; cents of each would not be.
    expect(cents({ value: parts.reduce((sum, part) => sum + part, 0) })).toBe(cents(capacity))
    expect(hours?.capacity).toBeGreaterThan(0)
    expect(Date.now() - Date.parse(summary.asOf ?? '')).toBeLessThan(60_000)
  })

  test('what waits is told by cause, which add up to the whole wait to the second, with the change that ends it', async () => {
    const waits = await eventually(
      () => json<OutputOf<typeof OPERATIONS.queueWaits>>('/api/v1/waits?cluster=demo&range=24h&limit=2000'),
      (answer) => answer.causes?.some(({ waiting }) => waiting > 0),
    )
    expect(waits.seconds).toBeGreaterThan(3600)
    expect(secondsOf(waits.causes)).toBe(waits.seconds)
    expect(secondsOf(waits.workloads)).toBe(waits.seconds)
    expect(waits.hours.value).toBeGreaterThan(1)
    expect(waits.cost.value).toBeGreaterThan(1)
    // The demo has GPUs that are cut too small for what its queue asks, and a queue whose quota is used up.
    expect(waits.causes.find(({ cause }) => cause === 'shape')?.change?.sentence).toMatch(/^Repartition GPU \d of /u)
    expect(waits.causes.find(({ cause }) => cause === 'quota')?.change?.sentence).toMatch(/^Raise the cluster queue /u)
    const { workloads } = await json<OutputOf<typeof OPERATIONS.workloadsList>>(
      '/api/v1/workloads?cluster=demo&status=queued&limit=500',
    )
    const told = new Set(waits.workloads.filter(({ waitsFor }) => waitsFor !== null).map(({ id }) => id))
    expect(workloads.filter(({ id }) => told.has(id)).length).toBeGreaterThan(workloads.length / 2)
  })

  test('what is broken is named, and the page does not claim that all is well', async () => {
    const summary = await json<Summary>('/api/v1/summary?cluster=demo')
    expect(summary.status.kind).toBe('degraded')
    expect(summary.status.headline).not.toContain('All Systems Operational')
    expect(summary.status.problems.length).toBeGreaterThan(0)
    for (const problem of summary.status.problems) expect(problem.message).toMatch(/[.!]$/u)
  })

  test('history was read: the last day has a point for every hour', async () => {
    const trend = await eventually(
      () => json<OutputOf<typeof OPERATIONS.utilizationTrend>>('/api/v1/utilization?cluster=demo&range=24h'),
      (answer) => answer.points.filter((point) => point.busy !== null).length >= 23,
    )
    const known = trend.points.filter((point) => point.busy !== null)
    expect(new Set(known.map((point) => point.busy?.toFixed(3))).size).toBeGreaterThan(12)
  })

  test('the temperature of a GPU’s memory is told now and over the last day, and is unknown where the board has no sensor', async () => {
    const hbm = await firstWhole(/H100/u)
    const gddr = await firstWhole(/L40S/u)
    const measured = await eventually(
      () => card(hbm),
      ({ reading, day }) => reading.memoryTemperature.value !== null && measuredOf(day?.memoryTemperature).length > 12,
    )
    for (const value of [measured.reading.memoryTemperature.value, ...measuredOf(measured.day?.memoryTemperature)]) {
      expect(value).toBeGreaterThan(20)
      expect(value).toBeLessThan(110)
    }
    const { reading, day } = await card(gddr)
    expect(reading.temperature.value).toBeGreaterThan(20)
    expect(reading.memoryTemperature).toMatchObject({ value: null, quality: 'unknown' })
    expect(measuredOf(day?.power).length).toBeGreaterThan(12)
    expect(measuredOf(day?.memoryTemperature)).toEqual([])
  })

  test('the sample data shows exactly the figures of the specification', async () => {
    const summary = await json<Summary>('/api/v1/summary?cluster=sample')
    expect(summary.savings.verified.value).toBe(324_000)
    expect(summary.savings.change).toBe('+18% vs last month')
    expect(summary.utilization.busy.value).toBe(0.873)
    expect(summary.utilization.note).toBe('+2.3% above target')
    expect(summary.workloads).toMatchObject({ active: 127, queued: 23, running: 104 })
    expect(summary.mig.headline.value).toBe(0.947)
    expect(summary.mig.note).toBe('Dynamic partitioning active')
    expect(summary.asOf).toBeNull()
  })

  test('a change in the cluster reaches a client of the event stream', async () => {
    const abort = new AbortController()
    const stream = await fetch(`${septet.url}/api/v1/events`, { signal: abort.signal })
    const reader = stream.body?.getReader()
    await cordonFirstNode(`${septet.dataDir}/demo.kubeconfig`)
    let text = ''
    const decoder = new TextDecoder()
    while (!text.includes('event: inventory')) {
      const part = await reader?.read()
      if (part?.done !== false) break
      text += decoder.decode(part.value)
    }
    abort.abort()
    expect(text).toContain('"cluster":"demo"')
  })

  test('errors are problem documents with a code and what to do', async () => {
    const unknown = await get('/api/v1/summary?cluster=nowhere')
    expect(unknown.status).toBe(404)
    expect(unknown.headers.get('content-type')).toContain('application/problem+json')
    expect(await unknown.json()).toMatchObject({ code: 'unknown-cluster', todo: expect.stringContaining('demo') })
    const invalid = await get('/api/v1/summary?range=12y&colour=red')
    expect(invalid.status).toBe(400)
    expect(await invalid.json()).toMatchObject({ code: 'invalid-input', detail: expect.stringContaining('range') })
  })

  test('a price that an operator sets is in force, listed with its source, and can be taken back', async () => {
    const put = await fetch(`${septet.url}/api/v1/prices/everything`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ cluster: 'demo', usdPerGpuHour: 100, source: 'contract of a test' }),
    })
    expect(put.status).toBe(200)
    const after = await eventually(
      () => json<Summary>('/api/v1/summary?cluster=demo&range=1h'),
      ({ cost }) => Math.abs((cost.capacity.value ?? 0) - 100 * (cost.hours?.capacity ?? 0)) < 0.5,
    )
    expect(after.cost.unpricedGpuHours).toBe(0)
    expect((await fetch(`${septet.url}/api/v1/prices/everything`, { method: 'DELETE', headers })).status).toBe(200)
    expect((await fetch(`${septet.url}/api/v1/prices/everything`, { method: 'DELETE', headers })).status).toBe(404)
  })

  test('a page elsewhere that resolves its name to loopback is refused', async () => {
    const { request } = await import('node:http')
    const { port } = new URL(septet.url)
    const status = await new Promise((done) => {
      request({ host: '127.0.0.1', port, path: '/api/v1/summary', headers: { host: 'evil.example' } }, (answer) => {
        answer.resume()
        done(answer.statusCode)
      }).end()
    })
    expect(status).toBe(403)
  })

  test('the machine-readable API describes every operation', async () => {
    const document = await json<{ paths: Record<string, Record<string, { operationId: string }>> }>('/api/openapi.json')
    const described = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    expect(described.toSorted()).toEqual(
      [
        ...Object.values(OPERATIONS).map(({ name }) => name),
        'copilot.stream',
        'events.follow',
        'audit.export',
      ].toSorted(),
    )
    expect((await get('/api')).headers.get('content-type')).toContain('text/html')
    expect(await (await get('/metrics')).text()).toContain('septet_cluster_connected{cluster="demo"} 1')
  })
})
