import { instant, type PastWait } from '@septet/domain'
import { readCsv, type CsvTable } from './placement/csv-table.ts'
import { hasTrace, readTrace } from './trace-file.ts'

import type { QueuedJob } from './replayed-queues.ts'

/** Jobs of Philly as Muri (SIGCOMM 2022) gives them, in the order of coming; undefined where the trace is not here. */
export const readPhillyJobs = (): readonly QueuedJob[] | undefined =>
  rowsOf('philly-derived-muri', 'trace1.csv', ['submit_time', 'num_gpu', 'duration'])
    ?.map((row) => ({
      at: Number(row.text('submit_time')),
      gpus: Number(row.text('num_gpu')),
      runs: Number(row.text('duration')),
    }))
    .toSorted((a, b) => a.at - b.at)

/**
 * What pods of a real cluster waited between their creation and their binding: Alibaba `cluster-trace-gpu-v2023`, by class
 * of service and what of GPUs they asked for; undefined where the trace is not here.
 */
export const readOpenbWaits = (): readonly PastWait[] | undefined =>
  rowsOf('openb-2023', 'openb_pod_list_default.csv', ['num_gpu', 'gpu_milli', 'qos', 'creation_time', 'scheduled_time'])
    ?.filter((row) => row.text('num_gpu') !== '0' && row.text('scheduled_time') !== '')
    .map((row) => ({
      namespace: row.text('qos'),
      asks: row.text('num_gpu') === '1' ? `${row.text('gpu_milli')} milli` : `${row.text('num_gpu')} × nvidia.com/gpu`,
      from: instant(Number(row.text('creation_time')) * 1000),
      to: instant(Number(row.text('scheduled_time')) * 1000),
      over: true,
    }))
    .toSorted((a, b) => a.from - b.from)

function rowsOf(set: string, name: string, columns: readonly string[]): CsvTable['rows'] | undefined {
  if (!hasTrace({ set, name })) return undefined
  const { rows, problems } = readCsv(readTrace({ set, name }), name, columns)
  if (rows.length === 0) throw new Error(problems.join('\n'))
  return rows
}
