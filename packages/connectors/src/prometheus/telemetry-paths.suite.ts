import { setTimeout as sleep } from 'node:timers/promises'

import type { DeviceSample } from '@septet/domain'
import { expect } from 'vitest'

import { openExporterReader } from '../exporter/exporter-reader.ts'
import { readDeviceLabels } from '../dcgm/device-labels.ts'
import type { Prometheus } from './open-prometheus.ts'

const BUSY = ['DCGM_FI_PROF_GR_ENGINE_ACTIVE', 'DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO']

/**
 * Both ways of reading the same exporters must tell the same: the same devices now, and over the same window the same
 * busy of each device to half a point. `prometheus` must scrape `exporterUrls` once a second.
 */
export async function telemetryPathsAgree(given: {
  readonly exporterUrls: readonly string[]
  readonly prometheus: Prometheus
  readonly seconds: number
}): Promise<{ devices: number; worst: number }> {
  const { prometheus, seconds } = given
  const direct = openExporterReader({ targets: given.exporterUrls.map((url) => ({ url })) })
  const sums = new Map<string, { sum: number; count: number }>()
  await scrapingHasBegun(prometheus)
  const start = Date.now()
  let last: readonly DeviceSample[] = []
  for (let second = 0; second < seconds; second += 1) {
    await sleep(Math.max(0, start + second * 1000 + 500 - Date.now()))
    const reading = await direct.read()
    expect(reading.problems).toEqual([])
    last = reading.samples
    for (const sample of last) add(sums, keyOf(sample), sample.busy)
  }
  const end = start + seconds * 1000
  await sleep(Math.max(0, end - Date.now()))
  const engine = await prometheus.read()
  expect(engine.samples.map(identity)).toEqual(last.map(identity))
  const theirs = await meansOf(prometheus, seconds, end)
  expect([...theirs.keys()].toSorted()).toEqual([...sums.keys()].toSorted())
  const worst = Math.max(
    ...[...sums].map(([key, mine]) => Math.abs((theirs.get(key) ?? NaN) - mine.sum / mine.count) * 100),
  )
  expect(worst).toBeLessThanOrEqual(0.5)
  await direct.close()
  return { devices: sums.size, worst }
}

/** Mean busy of each device by the engine. A device has more than one series when its holder changed within the window. */
async function meansOf(prometheus: Prometheus, seconds: number, at: number): Promise<Map<string, number>> {
  const [sums, counts] = await Promise.all(
    ['sum', 'count'].map((part) => totalsOf(prometheus, `${part}_over_time`, { seconds, at })),
  )
  return new Map([...(sums ?? [])].map(([key, sum]) => [key, sum / (counts?.get(key) ?? NaN)]))
}

async function totalsOf(
  prometheus: Prometheus,
  over: string,
  { seconds, at }: { seconds: number; at: number },
): Promise<Map<string, number>> {
  const series = await Promise.all(BUSY.map((name) => prometheus.instant(`${over}(${name}[${seconds}s])`, { at })))
  const totals = new Map<string, number>()
  for (const { labels, samples } of series.flat()) {
    const key = readDeviceLabels(labels)?.key ?? ''
    totals.set(key, (totals.get(key) ?? 0) + (samples[0]?.value ?? NaN))
  }
  return totals
}

/** A fresh engine looks for its targets only every five seconds. */
async function scrapingHasBegun(prometheus: Prometheus): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const found = await Promise.all(BUSY.map((name) => prometheus.instant(`count_over_time(${name}[4s])`)))
    if (found.flat().some(({ samples }) => (samples[0]?.value ?? 0) >= 3)) return
    await sleep(200)
  }
  throw new Error('Prometheus has not scraped the exporters three times within 20 s')
}

const keyOf = ({ gpu, instance, vgpu }: DeviceSample): string =>
  `${gpu}/${instance?.id ?? ''}/${instance?.profile ?? ''}/${vgpu ?? ''}`

function add(sums: Map<string, { sum: number; count: number }>, key: string, value: number | undefined): void {
  if (value === undefined) return
  const known = sums.get(key) ?? { sum: 0, count: 0 }
  sums.set(key, { sum: known.sum + value, count: known.count + 1 })
}

/** What a sample is about, and which fields it has; not the values, which change between two reads. */
function identity(sample: DeviceSample): unknown {
  const { node, gpu, index, model, instance, holder, vgpu } = sample
  const fields = Object.keys(sample).toSorted().join(' ')
  return { node, gpu, index, model, instance, holder, vgpu, fields }
}
