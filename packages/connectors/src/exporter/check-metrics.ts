import { errorText, plural } from '@septet/domain/words'
import {
  FIELDS,
  SAMPLE_FIELDS,
  type ConnectionItem,
  type ConnectionStep,
  type PrometheusSource,
  type SampleField,
  type TelemetryReading,
} from '@septet/domain'

import { openExporterReader } from './exporter-reader.ts'
import { openPrometheus } from '../prometheus/open-prometheus.ts'

export type CheckMetricsOptions = {
  readonly prometheus: PrometheusSource | undefined
  readonly exporterTargets: readonly string[]
  /** Names of the cluster's GPU nodes; undefined when unknown. */
  readonly gpuNodes: ReadonlySet<string> | undefined
  readonly clock: () => number
  readonly tell: (step: ConnectionStep) => void
}

const TIMEOUT_MS = 10_000

/**
 * Tries the source of metrics: whether it answers, which DCGM metrics it has, and whether they are of this cluster's nodes.
 * Never throws.
 */
export async function checkMetrics(options: CheckMetricsOptions): Promise<void> {
  const { tell } = options
  const source = sourceOf(options)
  if (source === undefined) {
    tell({
      id: 'metrics',
      state: 'noticed',
      said: 'No metrics source is configured.',
      works: 'Allocation, placements and cost. Utilization, idle time and right sizes are not measured.',
      todo: 'Give the address of a Prometheus that scrapes dcgm-exporter, or of the exporters themselves.',
    })
    return skip(tell, 'There is no metrics source.')
  }
  tell({ id: 'metrics', state: 'running', said: `Asking ${source.name}.` })
  try {
    const reading = await source.read()
    const devices = new Set(reading.samples.map(({ gpu }) => gpu)).size
    const down = reading.targets.filter(({ kind }) => kind !== 'up').length
    const all = reading.targets.length
    tell({
      id: 'metrics',
      state: down === 0 ? 'passed' : 'noticed',
      said: `${source.name} answers: ${plural(devices, 'GPU')} by ${plural(all, 'exporter')}${down === 0 ? '' : `, ${down} of which do not answer`}.`,
      ...(down === 0 ? {} : { works: 'The GPUs of the other exporters are measured.' }),
    })
    tell(nameStep(reading))
    tell(nodeStep(reading, options.gpuNodes))
  } catch (error) {
    tell({
      id: 'metrics',
      state: 'failed',
      said: errorText(error),
      works: 'Allocation, placements and cost. Utilization, idle time and right sizes are not measured.',
    })
    skip(tell, 'Not tried: the source of metrics was not reached.')
  } finally {
    await source.close()
  }
}

function skip(tell: CheckMetricsOptions['tell'], said: string): void {
  tell({ id: 'metric-names', state: 'skipped', said })
  tell({ id: 'metric-nodes', state: 'skipped', said })
}

type Source = { readonly name: string; read(): Promise<TelemetryReading>; close(): Promise<void> }

/** The exporters win where both are given, as they do when the cluster is watched. */
function sourceOf({ prometheus, exporterTargets, clock }: CheckMetricsOptions): Source | undefined {
  if (exporterTargets.length > 0) {
    const targets = exporterTargets.map((url) => ({ url }))
    const reader = openExporterReader({ targets, clock, timeoutMs: TIMEOUT_MS })
    return { ...reader, name: plural(targets.length, 'exporter address', 'exporter addresses') }
  }
  if (prometheus === undefined) return undefined
  return openPrometheus({ ...prometheus, clock, timeoutMs: TIMEOUT_MS, retryAfterMs: [] })
}

const PROFILING = ['busy', 'effective', 'tensor', 'memoryBus'] as const satisfies readonly SampleField[]

function nameStep({ samples }: TelemetryReading): ConnectionStep {
  const id = 'metric-names'
  const has = (field: SampleField): boolean => samples.some((sample) => sample[field] !== undefined)
  const items: ConnectionItem[] = SAMPLE_FIELDS.map((field) => ({
    name: FIELDS[field].metrics.join(' or '),
    state: has(field)
      ? 'passed'
      : PROFILING.some((one) => one === field) || field === 'memoryUsed'
        ? 'failed'
        : 'noticed',
    said: has(field) ? FIELDS[field].neededFor : `missing: ${FIELDS[field].neededFor}`,
  }))
  const there = SAMPLE_FIELDS.filter(has).length
  const said = `${there} of ${SAMPLE_FIELDS.length} found.`
  const without = PROFILING.filter((field) => !has(field))
  if (!has('busy')) {
    return {
      id,
      state: 'noticed',
      said: `${said} The profiling metrics are missing (${without.map((field) => FIELDS[field].metrics[0]).join(', ')}).`,
      works: has('kernelTime')
        ? 'Whole GPUs are measured by DCGM_FI_DEV_GPU_UTIL, which counts any kernel as busy. MIG devices are not measured.'
        : 'Memory, power and temperature, where they are there. Utilization is not measured.',
      todo: 'Add the DCGM_FI_PROF_ lines to the counters file of dcgm-exporter (dcp-metrics-included.csv has them); they need a data-center GPU.',
      items,
    }
  }
  return { id, state: without.length === 0 ? 'passed' : 'noticed', said, items }
}

function nodeStep({ samples }: TelemetryReading, gpuNodes: ReadonlySet<string> | undefined): ConnectionStep {
  const id = 'metric-nodes'
  if (gpuNodes === undefined) return { id, state: 'skipped', said: 'The nodes of the cluster are unknown.' }
  const measured = new Set(samples.map(({ node }) => node))
  const both = [...gpuNodes].filter((node) => measured.has(node)).length
  if (both === 0 && gpuNodes.size > 0) {
    const [example = 'without any name of a host'] = [...measured].filter((name) => name !== '')
    return {
      id,
      state: 'failed',
      said: `No node of this cluster is among those that are measured (such as ${example}).`,
      works: 'Allocation and cost; no sample can be given to a GPU of this cluster.',
      todo: 'See whether this is the metrics source of another cluster or tenant, or whether neither the exporter’s Hostname label nor a label node is the name of the node.',
    }
  }
  const missing = gpuNodes.size - both
  const state = missing === 0 ? 'passed' : 'noticed'
  const rest = missing === 0 ? '' : ' The GPUs of the others are shown as not measured.'
  return { id, state, said: `${both} of ${gpuNodes.size} GPU nodes are measured.${rest}` }
}
