import { METRICS, errorLabels, holderLabels, labelsOf, printed, tellsErrors, type Labels } from '../model/metrics.ts'
import { labelledHolder, readAt, rowsAt, type Row } from '../model/readings.ts'
import type { World } from '../model/world.ts'

/** What dcgm-exporter on a node answers at an instant; undefined when it does not answer. */
export function expositionOf(world: World, nodeName: string, at: number): string | undefined {
  const node = world.node(nodeName)
  const rows = node === undefined ? [] : rowsAt(world, node, at)
  if (rows.length === 0) return undefined
  const readings = rows.map((row) => ({
    row,
    reading: readAt(world, row, at),
    labels: labelTexts(row, holderLabels(labelledHolder(world, row, at))),
  }))
  const lines: string[] = []
  for (const metric of METRICS) {
    lines.push(`# HELP ${metric.name} ${metric.help}`, `# TYPE ${metric.name} ${metric.type}`)
    for (const { row, reading, labels } of readings) {
      const value = metric.value(reading, row)
      if (value !== undefined)
        lines.push(`${metric.name}{${tellsErrors(metric) ? labels.withError : labels.plain}} ${printed(metric, value)}`)
    }
  }
  return `${lines.join('\n')}\n`
}

/** Prometheus HTTP service discovery: one target per node that runs an exporter. */
export const targetsOf = (world: World, address: string): readonly object[] =>
  world.nodes
    .filter(({ name }) => world.retiredAt(name) === Infinity)
    .map((node) => ({
      targets: [address],
      labels: { __metrics_path__: `/exporter/${node.name}/metrics`, node: node.name },
    }))

/** All metrics of a row have the same labels, but for those that tell an error: written once, not for every line. */
function labelTexts(row: Row, holder: Labels): { readonly plain: string; readonly withError: string } {
  const [before, error] = [labelText(labelsOf(row)), labelText(errorLabels(row))]
  const after = holder.length === 0 ? '' : `,${labelText(holder)}`
  return { plain: `${before}${after}`, withError: `${before},${error}${after}` }
}

const labelText = (labels: Labels): string =>
  labels.map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escape)}"`).join(',')

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }
const escape = (character: string): string => ESCAPES[character] ?? character
