import { setTimeout as sleep } from 'node:timers/promises'

import type { DeviceSample } from '@septet/domain'
import { expect } from 'vitest'

import { openExporterReader } from '../exporter/exporter-reader.ts'
import { readDeviceLabels } from '../dcgm/read-device-labels.ts'
import type { Prometheus } from './open-prometheus.ts'

const BUSY = ['DCGM_FI_PROF_GR_ENGINE_ACTIVE', 'DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO']

/**
 * Both ways of reading the same exporters must tell the same devices now. Resolves with how far apart they tell the busy of
 * the same window at worst, in points of a percentage, and of which devices and holders the engine alone tells (`strangers`):
 * none, unless it scraped last before the window began. `prometheus` must scrape `exporterUrls` once a second.
 */
export async function telemetryPathsAgree(given: {
  readonly exporterUrls: readonly string[]
  readonly prometheus: Prometheus
  readonly seconds: number
  /**
   * Devices whose own values lie further apart within the window are left out: where work begins or ends between two
   * scrapes, two clocks see it at different instants. 0 to 1; everything is compared when it is not given.
   */
  readonly steadyWithin?: number
}): Promise<{ devices: number; compared: number; worst: number; strangers: readonly string[] }> {
  const { prometheus, seconds } = given
  const direct = openExporterReader({ targets: given.exporterUrls.map((url) => ({ url })) })
  const sums = new Map<string, Sum>()
  await scrapingHasBegun(prometheus)
  const start = Date.now()
  const seen = new Map<string, Set<string>>()
  for (let second = 0; second < seconds; second += 1) {
    await sleep(Math.max(0, start + second * 1000 + 500 - Date.now()))
    const reading = await direct.read()
    expect(reading.problems).toEqual([])
    for (const sample of reading.samples) {
      see(seen, sample)
      add(sums, keyOf(sample), sample.busy)
    }
  }
  const end = start + seconds * 1000
  await sleep(Math.max(0, end - Date.now()))
  const engine = await prometheus.read()
  for (const sample of (await direct.read()).samples) see(seen, sample)
  expect(engine.samples.map(keyOf)).toEqual([...seen.keys()])
  const strangers = engine.samples.filter((sample) => !seen.get(keyOf(sample))?.has(identity(sample))).map(identity)
  const theirs = await sumsOf(prometheus, seconds, end)
  expect([...theirs.keys()].toSorted()).toEqual([...sums.keys()].toSorted())
  const differences = [...sums].map(([key, mine]) => compare(mine, theirs.get(key) ?? NOTHING))
  const compared = differences.filter(({ spread }) => spread <= (given.steadyWithin ?? 1))
  const worst = Math.max(...compared.map(({ points }) => points))
  await direct.close()
  return { devices: sums.size, compared: compared.length, worst, strangers }
}

type Sum = { readonly sum: number; readonly count: number; readonly least: number; readonly most: number }
const NOTHING: Sum = { sum: NaN, count: NaN, least: NaN, most: NaN }

/** How far two means are apart, in points, and how far all values that either has seen. */
const compare = (a: Sum, b: Sum): { points: number; spread: number } => ({
  points: Math.abs(a.sum / a.count - b.sum / b.count) * 100,
  spread: Math.max(a.most, b.most) - Math.min(a.least, b.least),
})

const total = (values: readonly number[] = []): number => values.reduce((all, value) => all + value, 0)

/** What the engine has seen of each device. A device has more than one series when its holder changed within the window. */
async function sumsOf(prometheus: Prometheus, seconds: number, at: number): Promise<Map<string, Sum>> {
  const ask = (over: string) => seriesOf(prometheus, `${over}_over_time`, { seconds, at })
  const [sum, count, least, most] = await Promise.all([ask('sum'), ask('count'), ask('min'), ask('max')])
  return new Map(
    [...sum].map(([key, values]) => [
      key,
      {
        sum: total(values),
        count: total(count.get(key)),
        least: Math.min(...(least.get(key) ?? [])),
        most: Math.max(...(most.get(key) ?? [])),
      },
    ]),
  )
}

async function seriesOf(
  prometheus: Prometheus,
  over: string,
  { seconds, at }: { seconds: number; at: number },
): Promise<Map<string, number[]>> {
  const series = await Promise.all(BUSY.map((name) => prometheus.instant(`${over}(${name}[${seconds}s])`, { at })))
  const values = new Map<string, number[]>()
  for (const { labels, samples } of series.flat()) {
    const key = readDeviceLabels(labels)?.key ?? ''
    values.set(key, [...(values.get(key) ?? []), samples[0]?.value ?? NaN])
  }
  return values
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

function add(sums: Map<string, Sum>, key: string, value: number | undefined): void {
  if (value === undefined) return
  const { sum, count, least, most } = sums.get(key) ?? { sum: 0, count: 0, least: value, most: value }
  sums.set(key, { sum: sum + value, count: count + 1, least: Math.min(least, value), most: Math.max(most, value) })
}

/** A holder comes or goes between two reads: the engine may tell each that was there from the first read to one after its own. */
function see(seen: Map<string, Set<string>>, sample: DeviceSample): void {
  const key = keyOf(sample)
  seen.set(key, (seen.get(key) ?? new Set()).add(identity(sample)))
}

/** What a sample is about, and which fields it has; not the values, which change between two reads. */
function identity(sample: DeviceSample): string {
  const { node, gpu, index, model, instance, holder, vgpu } = sample
  const fields = Object.keys(sample).toSorted().join(' ')
  return JSON.stringify({ node, gpu, index, model, instance, holder, vgpu, fields })
}
