import { internText } from './intern-text.ts'

/** What the labels of one dcgm-exporter series say about whose it is. */
export type DeviceLabels = {
  /** The same for all series of one device: GPU, GPU instance, profile and replica. GPU_I_ID alone is reused. */
  readonly key: string
  readonly node: string
  readonly gpu: string
  readonly index: number
  readonly model: string
  readonly instance: { readonly id: string; readonly profile: string } | undefined
  readonly holder: { readonly namespace: string; readonly pod: string; readonly container: string } | undefined
  readonly vgpu: string | undefined
}

/**
 * Reads a label set as dcgm-exporter writes it, directly or by way of Prometheus; undefined when it names no GPU.
 * An empty value means the same as an absent label: idle GPUs have either, depending on the release.
 */
export function readDeviceLabels(labels: Readonly<Record<string, string | undefined>>): DeviceLabels | undefined {
  const identity = readIdentity(labels)
  if (identity === undefined) return undefined
  const { gpu, instance } = identity
  const vgpu = first(labels['vgpu'])
  return {
    key: internText(`${gpu}/${instance?.id ?? ''}/${instance?.profile ?? ''}/${vgpu ?? ''}`),
    gpu,
    instance,
    vgpu,
    // Renamed to lower case on dcgm-exporter's main branch (pull request 655).
    node: internText(first(labels['Hostname'], labels['hostname']) ?? ''),
    index: readIndex(labels),
    model: internText(labels['modelName'] ?? ''),
    holder: readHolder(labels),
  }
}

type Identity = Pick<DeviceLabels, 'gpu' | 'instance'>

/** Old exporters put the MIG device into the UUID: `MIG-GPU-<uuid of the GPU>/<GPU instance>/<compute instance>`. */
const OLD_MIG_UUID = /^MIG-(GPU-[^/]+)\/(\d+)(?:\/\d+)?$/

function readIdentity(labels: Readonly<Record<string, string | undefined>>): Identity | undefined {
  const uuid = first(labels['UUID'], labels['uuid'])
  if (uuid === undefined) return undefined
  const old = OLD_MIG_UUID.exec(uuid)
  const gpu = internText(old?.[1] ?? uuid)
  const id = first(labels['GPU_I_ID'], old?.[2])
  return {
    gpu,
    instance: id === undefined ? undefined : { id: internText(id), profile: internText(labels['GPU_I_PROFILE'] ?? '') },
  }
}

/**
 * Prometheus without `honor_labels` moves the workload's labels to `exported_*`, and then the plain ones name the
 * exporter's own pod. They are only told apart by the presence of any `exported_*`: on an idle GPU none is there
 * and the plain ones may still be the exporter's, so a pod that looks like the exporter is no holder either.
 */
function readHolder(labels: Readonly<Record<string, string | undefined>>): DeviceLabels['holder'] {
  const exported = first(labels['exported_pod'], labels['exported_namespace'], labels['exported_container'])
  if (exported !== undefined) {
    return holder(labels['exported_namespace'], labels['exported_pod'], labels['exported_container'])
  }
  if (isExporter(labels)) return undefined
  return holder(labels['namespace'], labels['pod'], labels['container'])
}

function holder(namespace = '', pod = '', container = ''): DeviceLabels['holder'] {
  return pod === ''
    ? undefined
    : { namespace: internText(namespace), pod: internText(pod), container: internText(container) }
}

/** `endpoint` and `service` are put on by a ServiceMonitor, never by the exporter; then `pod` is the scraped pod. */
function isExporter(labels: Readonly<Record<string, string | undefined>>): boolean {
  const scraped = first(labels['endpoint'], labels['service']) !== undefined && first(labels['instance']) !== undefined
  return scraped && /dcgm|gpu-metrics|exporter/i.test(`${labels['pod'] ?? ''} ${labels['container'] ?? ''}`)
}

function readIndex(labels: Readonly<Record<string, string | undefined>>): number {
  const text = first(labels['gpu'], /^nvidia(\d+)$/.exec(labels['device'] ?? '')?.[1])
  const index = text === undefined ? NaN : Number(text)
  return Number.isInteger(index) && index >= 0 ? index : 0
}

function first(...values: readonly (string | undefined)[]): string | undefined {
  return values.find((value) => value !== undefined && value !== '')
}
