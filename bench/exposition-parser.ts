import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

import {
  type DeviceLabels,
  deviceMetrics,
  type LabelMemory,
  openDeviceFold,
  openLabelMemory,
  openScaleMemory,
  parseExposition,
  readDeviceLabels,
} from '@septet/connectors'
import { instant, SAMPLE_FIELDS } from '@septet/domain'

import type { Benchmark, Figure } from './benchmark.ts'
import { exporterTexts } from './exporter-text.ts'

const ROUNDS = 5

/** Our exposition parser beside the npm package, on one thread, on the text of a whole fleet. */
export const benchmark: Benchmark = {
  name: 'exposition-parser',
  description:
    'dcgm-exporter text for 10,000 GPUs (1,250 nodes), or from the files in --input: samples read per second on one core, best of five rounds.',
  async run({ input }) {
    const texts = input === undefined ? exporterTexts({ nodes: 1250, gpusPerNode: 8, seed: 7 }) : await readTexts(input)
    const samples = texts.reduce(
      (sum, text) =>
        sum +
        readEverything(
          text,
          openLabelMemory((labels) => labels),
        ),
      0,
    )
    const baseline = {
      name: 'parse-prometheus-text-format',
      figure: perSecond(samples, () => texts.forEach(parseBaseline), 2),
    }
    const all = texts.map(() => openLabelMemory((labels) => labels))
    const wanted = texts.map(() => openLabelMemory(readDeviceLabels))
    const first = perSecond(samples, () =>
      texts.forEach((text) =>
        readEverything(
          text,
          openLabelMemory((labels) => labels),
        ),
      ),
    )
    const later = perSecond(samples, () => texts.forEach((text, index) => readEverything(text, all[index])))
    const folded = perSecond(samples, () => readDevices(texts, wanted))
    const aim = 'at least 8 times the baseline, and 1,000,000'
    return [
      figure('every metric, labels new', first, { baseline }),
      figure('every metric, labels known', later, { baseline, aim }),
      figure(`to device samples (${SAMPLE_FIELDS.length} fields)`, folded, {
        baseline,
        aim,
        note: 'parsing, reading of labels and folding; other metrics are skipped',
      }),
      { name: 'text', figure: texts.reduce((sum, text) => sum + text.length, 0) / 1e6, unit: 'MB' },
      { name: 'samples', figure: samples, unit: 'samples' },
    ]
  },
}

const parseBaseline: (text: string) => unknown = createRequire(import.meta.url)('parse-prometheus-text-format')

const figure = (name: string, value: number, more: Partial<Figure>): Figure => ({
  name,
  figure: Math.round(value),
  unit: 'samples/s',
  seeds: 1,
  ...more,
})

function readEverything<L>(text: string, labels: LabelMemory<L> | undefined): number {
  if (labels === undefined) return 0
  let sum = 0
  const { samples } = parseExposition(text, { labels, sinkFor: () => (_, value) => void (sum += value) })
  return Number.isNaN(sum) ? 0 : samples
}

function readDevices(texts: readonly string[], memories: readonly LabelMemory<DeviceLabels | undefined>[]): void {
  const fold = openDeviceFold(openScaleMemory())
  for (const [index, text] of texts.entries()) {
    const labels = memories[index]
    if (labels === undefined) continue
    const sinkFor = (name: string) => {
      const metrics = deviceMetrics(name)
      if (metrics.length === 0) return undefined
      return (found: DeviceLabels | undefined, value: number, at: number | undefined) => {
        if (found === undefined) return
        for (const metric of metrics) fold.add(metric, found, { value, source: 'bench', at })
      }
    }
    parseExposition(text, { labels, sinkFor })
  }
  fold.finish(instant(0))
}

function perSecond(samples: number, work: () => void, rounds = ROUNDS): number {
  let best = Infinity
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    work()
    best = Math.min(best, performance.now() - start)
  }
  return (samples / best) * 1000
}

async function readTexts(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).toSorted()
  return Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
}
