import type { DeviceLabels } from './device-labels.ts'
import { internText } from './intern-text.ts'

/** The labels of a series. */
export type LabelTexts = Readonly<Record<string, string | undefined>>

/**
 * Prometheus without `honor_labels` moves the workload's labels to `exported_*`, and then the plain ones name the
 * exporter's own pod. They are only told apart by the presence of any `exported_*`: on an idle GPU none is there
 * and the plain ones may still be the exporter's, so a pod that looks like the exporter is not a holder either.
 */
export function readHolder(labels: LabelTexts): DeviceLabels['holder'] {
  const exported = firstText(labels['exported_pod'], labels['exported_namespace'], labels['exported_container'])
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
function isExporter(labels: LabelTexts): boolean {
  const scraped =
    firstText(labels['endpoint'], labels['service']) !== undefined && firstText(labels['instance']) !== undefined
  return scraped && /dcgm|gpu-metrics|exporter|xpum/i.test(`${labels['pod'] ?? ''} ${labels['container'] ?? ''}`)
}

/** The first that says anything: an empty label is an absent one. */
export function firstText(...values: readonly (string | undefined)[]): string | undefined {
  return values.find((value) => value !== undefined && value !== '')
}
