import { seconds, type Seconds } from '@septet/domain'
import { readCsv } from '../placement/csv-table.ts'
import { jobKind, type JobSpeeds } from './job-speeds.ts'
import type { SliceJob } from './slice-job.ts'

/** A job before it is known when it arrives. */
export type ListedJob = Omit<SliceJob, 'arrival'>

export type JobList = { readonly jobs: readonly ListedJob[]; readonly problems: readonly string[] }

/** A year: a longer run on one GPU is a mistake in the list. */
const MOST_SECONDS = 365 * 24 * 3600

/**
 * Reads `job_trace_100.csv` in the form of MISO's list (columns job, model, batch, duration_full_gpu_s). A job of a model
 * and batch without measured speeds, with a duration that cannot be, or with an id seen before, is left out and named.
 */
export function readJobList(text: string, speeds: JobSpeeds, file = 'job_trace_100.csv'): JobList {
  const table = readCsv(text, file, ['job', 'model', 'batch', 'duration_full_gpu_s'])
  const problems = [...table.problems]
  const jobs = new Map<string, ListedJob>()
  for (const row of table.rows) {
    const id = row.text('job')
    const kind = jobKind(row.text('model'), row.text('batch'))
    const known = speeds.byKind.get(kind)
    const work = durationOf(row.text('duration_full_gpu_s'))
    const leftOut = (because: string): number =>
      problems.push(`${file}, line ${row.line}: job "${id}" ${because}; it is left out.`)
    if (jobs.has(id)) leftOut('is in the list twice')
    else if (work === undefined)
      leftOut(`has duration_full_gpu_s "${row.text('duration_full_gpu_s')}", not above 0 and at most a year`)
    else if (known === undefined) leftOut(`trains ${kind}, of which no speed was measured`)
    else jobs.set(id, { id, work, speeds: known })
  }
  return { jobs: [...jobs.values()], problems }
}

function durationOf(cell: string): Seconds | undefined {
  const value = cell === '' ? Number.NaN : Number(cell)
  return value > 0 && value <= MOST_SECONDS ? seconds(value) : undefined
}
