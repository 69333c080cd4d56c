import { z } from 'zod'

import { TelemetryError } from '../dcgm/telemetry-error.ts'
import { type BoundedGet, plain, type Tls } from '../http/bounded-get.ts'

/** One exporter: its metrics address, and the Kubernetes node that it runs on where that is known. */
export type ExporterTarget = { readonly url: string; readonly node?: string }

/** Where the exporters are: a fixed list, Prometheus HTTP service discovery, or whoever knows. */
export type TargetSource =
  | readonly ExporterTarget[]
  | { readonly httpSd: string }
  | (() => readonly ExporterTarget[] | Promise<readonly ExporterTarget[]>)

/** Asks the source for the exporters as they are now. Rejects with a `TelemetryError`. */
export async function findTargets(
  source: TargetSource,
  reach: { readonly get: BoundedGet; readonly timeoutMs: number; readonly tls?: Tls },
): Promise<readonly ExporterTarget[]> {
  if (typeof source === 'function') return source()
  if (!('httpSd' in source)) return source
  const { get, ...limits } = reach
  const answer = await get({ url: source.httpSd, maximumBytes: MAXIMUM_LIST, ...limits })
  if (answer.status !== 200) throw notUnderstood(source.httpSd, `it answers with status ${answer.status}`)
  return readTargets(source.httpSd, answer.body)
}

const MAXIMUM_LIST = 8 * 1024 * 1024

const Groups = z.array(z.object({ targets: z.array(z.string()), labels: z.record(z.string(), z.string()).optional() }))

/** Labels in which discoveries name the node; the first that is there counts. */
const NODE_LABELS = ['node', '__meta_kubernetes_pod_node_name', '__meta_kubernetes_node_name', 'Hostname', 'hostname']

function readTargets(url: string, body: string): ExporterTarget[] {
  const groups = Groups.safeParse(parseJson(url, body))
  if (!groups.success) throw notUnderstood(url, 'the answer is not a list of target groups')
  return groups.data.flatMap(({ targets, labels = {} }) => {
    const node = NODE_LABELS.map((name) => labels[name]).find((value) => value !== undefined && value !== '')
    const scheme = labels['__scheme__'] ?? 'http'
    const path = labels['__metrics_path__'] ?? '/metrics'
    return targets.map((address) => ({
      url: `${scheme}://${address}${path}`,
      ...(node === undefined ? {} : { node }),
    }))
  })
}

function parseJson(url: string, body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw notUnderstood(url, 'the answer is not JSON', error)
  }
}

function notUnderstood(url: string, why: string, cause?: unknown): TelemetryError {
  const message = `The list of exporters at ${plain(url)} cannot be used: ${why}. It must follow Prometheus HTTP service discovery.`
  return new TelemetryError('not-understood', message, { cause })
}
