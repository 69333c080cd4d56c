import { firstText, type LabelTexts } from '@septet/domain'
import type { DeviceLabels } from './device-labels.ts'
import { internText } from './intern-text.ts'
import { type Given, readPlace } from './label-texts.ts'

/**
 * Reads a label set of AMD's device-metrics-exporter, whose older releases spell labels in capitals; undefined for others. The
 * partitions of a GPU have its serial number. All but the first say 0 of what only the board has, and of the first the
 * activity is not the whole GPU's, so that of a GPU in partitions nothing but the board's own figures is read.
 */
export function readAmdLabels(labels: LabelTexts, given: Given): DeviceLabels | undefined {
  const serial = firstText(labels['serial_number'], labels['SERIAL_NUMBER'])
  const partition = firstText(labels['gpu_partition_id'])
  if (serial === undefined && partition === undefined) return undefined
  const divided = DIVIDED.has((labels['gpu_compute_partition_type'] ?? '').toLowerCase())
  if (divided && partition !== '0') return undefined
  const node = firstText(given.node, labels['hostname'], labels['Hostname'], labels['node']) ?? ''
  const index = firstText(labels['gpu_id'])
  // A guest of a hypervisor is told no serial number.
  const gpu = firstText(serial, labels['gpu_uuid'], labels['GPU_UUID']) ?? placeOn(node, index)
  if (gpu === undefined) return undefined
  return {
    ...ofDevice('amd', gpu),
    node: internText(node),
    index: indexOf(index),
    model: internText(labels['card_model'] ?? ''),
    ...readPlace(labels, given),
    divided,
  }
}

/** SPX is the whole GPU. */
const DIVIDED: ReadonlySet<string> = new Set(['dpx', 'tpx', 'qpx', 'cpx'])

/**
 * Reads a label set of Intel XPU Manager, which names a GPU by its place on the node's PCI bus and never a pod; undefined for
 * others. Version 1 says the node as `instance`.
 */
export function readIntelLabels(labels: LabelTexts, given: Given): DeviceLabels | undefined {
  const address = firstText(labels['pci_bdf'])
  const node = firstText(given.node, labels['node'], labels['instance'])?.replace(/:\d+$/u, '') ?? ''
  const gpu = placeOn(node, address)
  // Of two statistics of one sensor the higher counts.
  if (address === undefined || gpu === undefined || labels['statistic'] === 'min') return undefined
  const [, bus = '0'] = /^[\da-f]+:([\da-f]+):/iu.exec(address) ?? []
  return {
    ...ofDevice('intel', gpu),
    node: internText(node),
    hosts: readPlace(labels, given).hosts,
    // It counts nothing; GPUs of one node are on different buses.
    index: Number.parseInt(bus, 16),
    about: internText(firstText(...ABOUT.map((name) => labels[name])) ?? ''),
    part: internText(PARTS.flatMap((name) => firstText(labels[name]) ?? []).join('/')),
  }
}

/** Labels that say what of a GPU a series tells, and of which of its tiles and engines. */
const ABOUT = ['hw_gpu_task', 'hw_sensor_location', 'hw_memory_location', 'location', 'type']
const PARTS = ['sub_dev', 'com_intel_subdevice_id', 'engine_id', 'hw_name']

/** A GPU without a number of its own, by what its node calls it. */
const placeOn = (node: string, place: string | undefined): string | undefined =>
  node === '' || place === undefined ? undefined : `${node}#${place}`

function indexOf(text: string | undefined): number {
  const index = text === undefined ? NaN : Number(text)
  return Number.isInteger(index) && index >= 0 ? index : 0
}

const ofDevice = (exporter: DeviceLabels['exporter'], gpu: string): DeviceLabels => ({
  exporter,
  key: internText(`${gpu}///`),
  gpu: internText(gpu),
  node: '',
  index: 0,
  model: '',
  instance: undefined,
  holder: undefined,
  hosts: [],
  vgpu: undefined,
  about: '',
  part: '',
  divided: false,
})
