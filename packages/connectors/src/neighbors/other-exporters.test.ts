import { assembleSnapshot, instant, type DeviceSample } from '@septet/domain'
import { describe, expect, test } from 'vitest'
import { OTHER_METRICS } from '../dcgm/other-metrics.ts'
import { deviceMetrics } from '../dcgm/device-metric.ts'
import { openDeviceFold } from '../dcgm/fold-devices.ts'
import { readDeviceLabels } from '../dcgm/read-device-labels.ts'
import { openScaleMemory } from '../dcgm/scale-memory.ts'
import { openLabelMemory } from '../exporter/label-memory.ts'
import { parseExposition } from '../exporter/parse-exposition.ts'
import { parseNode } from '../kubernetes/read/parse-node.ts'
import { drawn, inventoryOf, nodeObject, recorded, recordings } from './recorded.fixture.ts'

const AT = instant(1_763_700_000_000)

/** What an exporter's text says of each device, as it runs on the node `n`. */
function samplesOf(text: string, node = 'n'): readonly DeviceSample[] {
  const fold = openDeviceFold(openScaleMemory())
  parseExposition(text, {
    labels: openLabelMemory((labels) => readDeviceLabels(labels, { node })),
    sinkFor: (name) => {
      const metrics = deviceMetrics(name)
      if (metrics.length === 0) return undefined
      return (labels, value, at) => {
        if (labels === undefined) return
        for (const metric of metrics) fold.add(metric, labels, { value, source: 'exporter', at })
      }
    },
  })
  const { samples, problems } = fold.finish(AT)
  expect(problems).toEqual([])
  return samples.map((each) => {
    const { hosts: _, ...sample } = each
    return sample
  })
}

const namesOf = (exporter: 'amd' | 'intel') =>
  OTHER_METRICS.filter((metric) => metric.exporter === exporter).map(({ name }) => name)

/** The labels of a published series of the current exporter. */
const publishedLabels = (): string => {
  const [, text = ''] = /^gpu_clock\{(.+?)\} /mu.exec(recorded('amd-exporter/docs-metricslist.md')) ?? []
  return text.replaceAll(/clock_(?:index|type)="\w+",/gu, '')
}
const published = (more = '') => ({
  spx: `${publishedLabels()}${more}`.replaceAll('hostname="xxxx"', 'hostname="n"').replaceAll('"xxxx"', '"AMD-1"'),
})

const cpx = (partition: number) =>
  published().spx.replace('spx', 'cpx').replace('gpu_partition_id="0"', `gpu_partition_id="${partition}"`)

const ofTile = (tile: number): string => `pci_bdf="0000:4d:00.0",node="n",com_intel_subdevice_id="${tile}"`

describe.skipIf(recordings === undefined)('AMD’s device-metrics-exporter', () => {
  test('exports every metric that is read, with the prefix of its example or without, or did in 2024', () => {
    const listed = new Set(
      [...recorded('amd-exporter/metric-names-and-help.txt').matchAll(/Name: "(?<name>\w+)"/gu)].map(
        ({ groups }) => groups?.['name'] ?? '',
      ),
    )
    expect(recorded('amd-exporter/example-config.json')).toContain('"MetricsFieldPrefix": "amd_"')
    const unknown = namesOf('amd').filter((name) => !listed.has(name.replace(/^amd_/u, '')))
    expect(unknown).toEqual(['gpu_usage', 'amd_gpu_usage'])
    expect(recorded('amd-exporter/sample-metrics-mini.txt')).toContain('\ngpu_usage{')
  })

  test('in its old sample: busy and power of one GPU by its serial number', () => {
    expect(samplesOf(recorded('amd-exporter/sample-metrics-mini.txt'))).toEqual([
      { at: AT, node: 'n', gpu: '692247001282', index: 0, model: '', busy: 0, power: 41 },
    ])
  })

  test('now: percentages are shares, MB are MiB, and 0 W is a board without that sensor', () => {
    const { spx } = published(',namespace="team",pod="train-0",container="main"')
    const lines = ['gpu_gfx_activity 87', 'gpu_umc_activity 31', 'gpu_used_vram 1024', 'gpu_free_vram 195568']
    const board = [
      'gpu_package_power 0',
      'gpu_average_package_power 412',
      'gpu_junction_temperature 61',
      'gpu_memory_temperature 0',
    ]
    const text = (prefix: string) =>
      [...lines, ...board].map((line) => `${prefix}${line.replace(' ', `{${spx}} `)}\n`).join('')
    const expected = {
      at: AT,
      node: 'n',
      gpu: 'AMD-1',
      index: 3,
      model: 'AMD-1',
      holder: { namespace: 'team', pod: 'train-0', container: 'main' },
      busy: 0.87,
      memoryBus: 0.31,
      memoryUsed: 1024,
      memoryFree: 195_568,
      power: 412,
      temperature: 61,
    }
    expect(samplesOf(text(''), '')).toEqual([expected])
    expect(samplesOf(text('amd_'), '')).toEqual([expected])
  })

  test('of a GPU in partitions: what the first says of the board, and no activity, which is not the whole GPU’s', () => {
    const text = [0, 1, 2, 3, 4, 5, 6, 7]
      .flatMap((partition) => [
        `gpu_gfx_activity{${cpx(partition)}} 0`,
        `gpu_used_vram{${cpx(partition)}} 283`,
        `gpu_package_power{${cpx(partition)}} ${partition === 0 ? 640 : 0}`,
      ])
      .join('\n')
    expect(samplesOf(`${text}\n`)).toEqual([{ at: AT, node: 'n', gpu: 'AMD-1', index: 3, model: 'AMD-1', power: 640 }])
  })

  test('names of other exporters are not taken for its own', () => {
    expect(samplesOf('gpu_power_usage{UUID="GPU-a",gpu="0",Hostname="n"} 300\n')).toEqual([])
    expect(samplesOf('gpu_usage{card="0"} 50\n')).toEqual([])
  })
})

describe.skipIf(recordings === undefined)('Intel XPU Manager', () => {
  const V1 = [
    ['xpum_engine_group_ratio', 'type="compute"', 0.5],
    ['xpum_engine_group_ratio', 'type="copy"', 0.1],
    ['xpum_memory_bandwidth_ratio', '', 0.2],
    ['xpum_memory_used_bytes', '', 8 * 1024 ** 3],
    ['xpum_power_watts', '', 90],
    ['xpum_temperature_celsius', 'location="gpu"', 51],
    ['xpum_temperature_celsius', 'location="mem"', 48],
  ] as const
  const V2 = [
    ['hw_gpu_utilization_ratio', 'hw_gpu_task="compute",hw_name="engine-1-compute"', 0.4],
    ['hw_gpu_utilization_ratio', 'hw_gpu_task="compute",hw_name="engine-2-compute"', 0.6],
    ['hw_gpu_utilization_ratio', 'hw_gpu_task="copy",hw_name="engine-3-copy"', 0.1],
    ['hw_memory_bandwidth_utilization_ratio', 'hw_memory_location="device"', 0.2],
    ['hw_memory_usage_bytes', 'hw_memory_location="device"', 8 * 1024 ** 3],
    ['hw_memory_usage_bytes', 'hw_memory_location="system"', 1],
    ['hw_power_watts', 'hw_sensor_location="gpu"', 90],
    ['hw_power_watts', 'hw_sensor_location="memory"', 20],
    ['hw_temperature_celsius', 'hw_sensor_location="gpu",statistic="max"', 51],
    ['hw_temperature_celsius', 'hw_sensor_location="gpu",statistic="min"', 40],
    ['hw_temperature_celsius', 'hw_sensor_location="memory",statistic="max"', 48],
  ] as const

  const textOf = (rows: typeof V1 | typeof V2, labels: string): string =>
    rows
      .map(([name, more, value]) => `${name}{${[more, labels].filter((each) => each !== '').join(',')}} ${value}\n`)
      .join('')

  const GPU = { at: AT, node: 'n', gpu: 'n#0000:4d:00.0', index: 0x4d, model: '' }
  const MEASURED = { busy: 0.5, memoryBus: 0.2, memoryUsed: 8192, power: 90, temperature: 51, memoryTemperature: 48 }

  test('exports every metric that is read: version 1 by its list, version 2 by the project’s own table of new names', () => {
    const [v1, v2] = [
      recorded('intel-exporter/xpum-v1.3.7-Prometheus_Exported_Metrics.csv'),
      recorded('intel-exporter/xpum-v1-to-v2-rename.sh.txt'),
    ]
    expect(namesOf('intel').filter((name) => name.startsWith('xpum_') && !v1.includes(name))).toEqual([])
    const renamed = namesOf('intel').filter((name) => name.startsWith('hw_') && !v2.includes(name))
    expect(renamed).toEqual(['hw_memory_free_bytes'])
    expect(recorded('intel-exporter/xpumd-v2-sysman-metric-list.md')).toContain('### hw.memory.free\n')
  })

  test('says the same of a GPU in version 1 and 2', () => {
    expect(samplesOf(textOf(V1, 'pci_bdf="0000:4d:00.0",instance="n:29999"'), '')).toEqual([{ ...GPU, ...MEASURED }])
    expect(samplesOf(textOf(V2, 'pci_bdf="0000:4d:00.0",node="n"'), '')).toEqual([{ ...GPU, ...MEASURED }])
  })

  test('of tiles: memory and power add up, unless the whole device is told as well', () => {
    const tiles = textOf(V2, ofTile(0)) + textOf(V2, ofTile(1))
    expect(samplesOf(tiles)).toEqual([{ ...GPU, ...MEASURED, memoryUsed: 16_384, power: 180 }])
    const all = tiles + textOf(V2, 'pci_bdf="0000:4d:00.0",node="n"')
    expect(samplesOf(all)).toEqual([{ ...GPU, ...MEASURED }])
  })

  test('the same address on two nodes is two GPUs, and each is a GPU of its node', () => {
    const samples = ['a', 'b'].flatMap((name) => samplesOf(textOf(V2, `pci_bdf="0000:4d:00.0",node="${name}"`), ''))
    const nodes = ['a', 'b'].map((name) => parseNode(nodeObject(name, { resources: { 'gpu.intel.com/xe': '1' } })))
    const snapshot = assembleSnapshot({ cluster: 'c', inventory: inventoryOf({ nodes }), samples, now: AT })
    expect(drawn(snapshot)).toEqual(['a a#0000:4d:00.0 unknown [whole -]', 'b b#0000:4d:00.0 unknown [whole -]'])
  })

  test('other hardware of a host with OpenTelemetry’s names is no GPU', () => {
    expect(samplesOf('hw_power_watts{hw_type="power_supply",node="n"} 300\n')).toEqual([])
  })
})
