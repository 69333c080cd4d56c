import { compareText, type Demand, type ShareNode, GPU_MILLI, type GpuDemand, mib } from '@septet/domain'
import { readCsv, type CsvRow } from './csv-table.ts'

/** Rows of a trace file, or why it cannot be used: the first problems, each with file, line and column. */
export type TraceRead<Row> =
  | { readonly kind: 'read'; readonly rows: readonly Row[] }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }

/** The nodes of a trace by the schema of Alibaba's `cluster-trace-gpu-v2023`: sn, cpu_milli, memory_mib, gpu, model. */
export function readTraceNodes(text: string, file: string): TraceRead<ShareNode> {
  return readRows({ text, file, columns: NODE_COLUMNS }, (row, problems) => {
    const model = row.text('model')
    const gpus = row.whole('gpu', { least: 0, most: MOST_GPUS })
    if (gpus > 0 && model === '')
      problems.push(`${file}, line ${row.line}: model is empty on a node with ${gpus} GPUs.`)
    return {
      id: row.text('sn'),
      cpuMilli: row.whole('cpu_milli', { least: 0, most: MOST_CPU_MILLI }),
      memory: mib(row.whole('memory_mib', { least: 0, most: MOST_MEMORY })),
      model,
      pool: model,
      gpus,
    }
  })
}

/**
 * The pods of a trace by the same schema: name, cpu_milli, memory_mib, num_gpu, gpu_milli, and the models that a pod allows
 * in gpu_spec, which some of the published lists do not have.
 */
export function readTracePods(text: string, file: string): TraceRead<Demand> {
  return readRows({ text, file, columns: POD_COLUMNS }, (row, problems) => {
    const count = row.whole('num_gpu', { least: 0, most: MOST_GPUS })
    const milli = row.whole('gpu_milli', { least: 0, most: GPU_MILLI })
    if (count > 0 && milli === 0) problems.push(`${file}, line ${row.line}: gpu_milli is 0, where num_gpu is ${count}.`)
    if (count > 1 && milli < GPU_MILLI)
      problems.push(`${file}, line ${row.line}: gpu_milli is ${milli}, where ${count} GPUs must be whole (1000).`)
    const models = row.text('gpu_spec').split('|')
    return {
      id: row.text('name'),
      cpuMilli: row.whole('cpu_milli', { least: 0, most: MOST_CPU_MILLI }),
      memory: mib(row.whole('memory_mib', { least: 0, most: MOST_MEMORY })),
      gpu: gpuDemand(count, milli),
      models: [...new Set(models)].filter((model) => model !== '').toSorted(compareText),
      tenant: undefined,
    }
  })
}

const NODE_COLUMNS = ['sn', 'cpu_milli', 'memory_mib', 'gpu', 'model']
const POD_COLUMNS = ['name', 'cpu_milli', 'memory_mib', 'num_gpu', 'gpu_milli']
/** Far above any machine: beyond it a figure is in another unit. */
const MOST_GPUS = 64
const MOST_CPU_MILLI = 10_000_000
const MOST_MEMORY = 1_000_000_000
const PROBLEMS_SHOWN = 10

type TraceFile = { readonly text: string; readonly file: string; readonly columns: readonly string[] }

function readRows<Row extends { readonly id: string }>(
  { text, file, columns }: TraceFile,
  toRow: (row: CsvRow, problems: string[]) => Row,
): TraceRead<Row> {
  const table = readCsv(text, file, columns)
  const rows = table.rows.map((row) => toRow(row, table.problems))
  table.problems.push(...idProblems(rows, table.rows, { file, column: columns[0] ?? '' }))
  const { problems } = table
  if (problems.length === 0) return { kind: 'read', rows }
  const more = problems.length - PROBLEMS_SHOWN
  const shown = problems.slice(0, PROBLEMS_SHOWN)
  return { kind: 'refused', problems: more > 0 ? [...shown, `${file}: ${more} more problems of this kind.`] : shown }
}

function idProblems(
  rows: ReadonlyArray<{ readonly id: string }>,
  cells: readonly CsvRow[],
  { file, column }: { readonly file: string; readonly column: string },
): string[] {
  const seen = new Map<string, number>()
  return rows.flatMap(({ id }, index) => {
    const line = cells[index]?.line ?? 0
    const before = seen.get(id)
    seen.set(id, line)
    if (id === '') return [`${file}, line ${line}: ${column} is empty.`]
    return before === undefined ? [] : [`${file}, line ${line}: ${column} "${id}" is already on line ${before}.`]
  })
}

function gpuDemand(count: number, milli: number): GpuDemand {
  if (count === 0) return { kind: 'none' }
  return count === 1 && milli < GPU_MILLI ? { kind: 'share', milli } : { kind: 'whole', count }
}
