import { firstText, type LabelTexts } from '@septet/domain'
import type { DeviceLabels } from './device-labels.ts'
import { type Given, readPlace } from './label-texts.ts'
import { readAmdLabels, readIntelLabels } from './other-labels.ts'
import { internText } from './intern-text.ts'

/**
 * Reads a label set as dcgm-exporter writes it; undefined for others. An empty value means the same as an absent label: idle
 * GPUs have either, depending on the release.
 */
function readDcgmLabels(labels: LabelTexts, given: Given): DeviceLabels | undefined {
  const identity = readIdentity(labels)
  if (identity === undefined) return undefined
  const { gpu, instance } = identity
  const vgpu = firstText(labels['vgpu'])
  return {
    exporter: 'dcgm',
    key: internText(`${gpu}/${instance?.id ?? ''}/${instance?.profile ?? ''}/${vgpu ?? ''}`),
    gpu,
    instance,
    vgpu,
    // Renamed to lower case on dcgm-exporter's main branch (pull request 655).
    node: internText(firstText(given.node, labels['Hostname'], labels['hostname']) ?? ''),
    index: readIndex(labels),
    model: internText(firstText(labels['modelName'], labels['modelname']) ?? ''),
    ...readPlace(labels, given),
    about: '',
    part: '',
    divided: false,
  }
}

type Identity = Pick<DeviceLabels, 'gpu' | 'instance'>

/** Old exporters put the MIG device into the UUID: `MIG-GPU-<uuid of the GPU>/<GPU instance>/<compute instance>`. */
const OLD_MIG_UUID = /^MIG-(GPU-[^/]+)\/(\d+)(?:\/\d+)?$/

function readIdentity(labels: LabelTexts): Identity | undefined {
  const uuid = firstText(labels['UUID'], labels['uuid'])
  if (uuid === undefined) return undefined
  const old = OLD_MIG_UUID.exec(uuid)
  const gpu = internText(old?.[1] ?? uuid)
  const id = firstText(labels['GPU_I_ID'], labels['gpu_i_id'], old?.[2])
  const profile = internText(firstText(labels['GPU_I_PROFILE'], labels['gpu_i_profile']) ?? '')
  return { gpu, instance: id === undefined ? undefined : { id: internText(id), profile } }
}

function readIndex(labels: LabelTexts): number {
  const text = firstText(labels['gpu'], /^nvidia(\d+)$/.exec(labels['device'] ?? '')?.[1])
  const index = text === undefined ? NaN : Number(text)
  return Number.isInteger(index) && index >= 0 ? index : 0
}

/** Reads a label set as an exporter writes it, directly or by way of Prometheus; undefined when it names no GPU. */
export const readDeviceLabels = (labels: LabelTexts, given: Given = {}): DeviceLabels | undefined =>
  readDcgmLabels(labels, given) ?? readAmdLabels(labels, given) ?? readIntelLabels(labels, given)
