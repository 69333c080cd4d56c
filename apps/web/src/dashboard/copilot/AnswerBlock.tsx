import { GpuBars } from './GpuBars.tsx'
import { ChartPanel } from '../chart/ChartPanel.tsx'
import { DenseChart } from '../chart/DenseChart.tsx'
import type { DenseUnit } from '../chart/dense-series.ts'
import { denseTable } from '../chart/dense-table.ts'
import { AnswerTable } from './AnswerTable.tsx'
import type { CopilotAnswer } from './copilot-context.ts'

type Block = CopilotAnswer['blocks'][number]

type Props<Shown> = {
  readonly block: Shown
  /** Its name among all the answers, of which two may have the same title. */
  readonly label: string
}

/** What an answer shows beside its sentences: rows, a line over time, or GPUs drawn to scale. */
export function AnswerBlock({ block, label }: Props<Block>) {
  if (block.kind === 'table') return <AnswerTable block={block} label={label} />
  return block.kind === 'chart' ? <AnswerChart block={block} label={label} /> : <GpuBars block={block} />
}

function AnswerChart({ block, label }: Props<Extract<Block, { kind: 'chart' }>>) {
  const { title, points } = block
  const unit = unitOf(block.unit)
  const at = points.map((point) => Date.parse(point.at) / 1000)
  const values = points.map(({ value }) => value)
  // An empty chart would look like a flat line at zero.
  if (values.every((value) => value === null)) return <p className="text-13 text-ink-soft">{title}: not measured.</p>
  const series = [{ name: title, tone: 'busy' as const, values, filled: true }]
  return (
    <ChartPanel title={title} label={label} table={denseTable({ at, series, unit }, 'share, 0–1')}>
      <DenseChart
        label={title}
        at={at}
        series={series}
        unit={unit}
        height={130}
        {...(unit === 'ratio' && { top: 1 })}
      />
    </ChartPanel>
  )
}

const UNITS: readonly DenseUnit[] = ['ratio', 'GiB', 'W', '°C', 'GPU', 'USD']
const unitOf = (unit: string): DenseUnit => UNITS.find((known) => known === unit) ?? 'count'
