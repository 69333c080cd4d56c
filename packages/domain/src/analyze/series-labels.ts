/** The labels of a series. */
export type LabelTexts = Readonly<Record<string, string | undefined>>

/** The pod that holds a device, by the labels of a series. */
export type LabelledHolder = { readonly namespace: string; readonly pod: string; readonly container: string }

/**
 * Prometheus without `honor_labels` moves the workload's labels to `exported_*`, and then the plain ones name the
 * exporter's own pod. They are only told apart by the presence of any `exported_*`: on an idle GPU none is there
 * and the plain ones may still be the exporter's, so a pod that looks like the exporter is not a holder either.
 */
export function holderIn(labels: LabelTexts): LabelledHolder | undefined {
  for (const { pod, namespaces, container } of HOLDERS) {
    const name = labels[pod] ?? ''
    const namespace = firstText(...namespaces.map((label) => labels[label]))
    // Some scrape configurations say the exporter's own pod as `pod_name`, beside a namespace by another name.
    if (name === '' || (pod === 'pod_name' && namespace === undefined)) continue
    const held = { namespace: namespace ?? '', pod: name, container: labels[container] ?? '' }
    if (pod.startsWith('exported') || !isExporter(labels, held)) return held
  }
  return undefined
}

/** In order; exporters of 2020 and before say `pod_name`. */
const HOLDERS = [
  { pod: 'exported_pod', namespaces: ['exported_namespace', 'namespace'], container: 'exported_container' },
  {
    pod: 'exported_pod_name',
    namespaces: ['exported_pod_namespace', 'pod_namespace', 'exported_namespace'],
    container: 'exported_container_name',
  },
  { pod: 'pod_name', namespaces: ['pod_namespace'], container: 'container_name' },
  { pod: 'pod', namespaces: ['exported_namespace', 'namespace'], container: 'container' },
]

/** `endpoint` and `service` are put on by a ServiceMonitor, never by the exporter; then `pod` is the scraped pod. */
function isExporter(labels: LabelTexts, { pod, container }: LabelledHolder): boolean {
  if (firstText(labels['instance']) === undefined) return false
  const isMonitored = firstText(labels['endpoint'], labels['service']) !== undefined
  return (isMonitored ? /dcgm|gpu-metrics|exporter|xpum/iu : /dcgm|gpu-metrics|xpum/iu).test(`${pod} ${container}`)
}

/** What else than the exporter's `Hostname` names the host, see `Located`: nodes, the exporter's own pod, its address. */
export function hostsIn(labels: LabelTexts, holder: LabelledHolder | undefined): readonly string[] {
  const nodes = HOSTS.flatMap((label) => firstText(labels[label]) ?? [])
  const pods = PODS.flatMap(({ namespaces, pod }) => {
    const name = firstText(labels[pod])
    if (name === undefined || (name === holder?.pod && namespaces.length === 1)) return []
    return `${firstText(...namespaces.map((label) => labels[label])) ?? ''}/${name}`
  })
  return [...nodes, ...pods].concat(firstText(labels['exported_instance'], labels['instance']) ?? [])
}

/** Labels by which scrape configurations name the node, what they have renamed first. */
const HOSTS = (
  'exported_hostname exported_Hostname exported_node hostname node kubernetes_node kubernetes_node_name ' +
  'node_name nodename nodeName k8s_node_name kubernetes_io_hostname'
).split(' ')

/** Labels by which they name the exporter's own pod, unless it is the holder that the last two name. */
const PODS = [
  { namespaces: ['kubernetes_namespace', 'namespace'], pod: 'kubernetes_pod_name' },
  { namespaces: ['k8s_namespace_name', 'namespace'], pod: 'k8s_pod_name' },
  { namespaces: ['namespace'], pod: 'pod' },
  { namespaces: ['namespace'], pod: 'pod_name' },
]

/** The first that says anything: an empty label is an absent one. */
export function firstText(...values: readonly (string | undefined)[]): string | undefined {
  return values.find((value) => value !== undefined && value !== '')
}
