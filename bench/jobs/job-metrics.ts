import {
  gpuHours,
  type GpuHours,
  meanOf,
  quantileOf,
  ratio,
  type Ratio,
  seconds,
  type Seconds,
  SECONDS_PER_HOUR,
} from '@septet/domain'
import type { JobRun } from './job-simulation.ts'

export type JobMetrics = {
  /** From arrival to end; undefined when no job ended. */
  readonly meanCompletion: Seconds | undefined
  readonly p50Completion: Seconds | undefined
  readonly p95Completion: Seconds | undefined
  readonly makespan: Seconds
  /** Work done per GPU and second, in whole-GPU speeds, over the makespan; above 1 only by sharing. */
  readonly throughput: Ratio | undefined
  /** GPU-hours in which a GPU held at least one job. */
  readonly held: GpuHours
  readonly recuts: number
  readonly pauses: number
  readonly completed: number
  readonly refused: number
}

/** The figures by which policies are compared; of jobs that were refused only the count. */
export function jobMetrics(run: JobRun, gpus: number): JobMetrics {
  const times = run.completions.map(({ arrival, end }) => end - arrival)
  return {
    meanCompletion: inSeconds(meanOf(times)),
    p50Completion: inSeconds(quantileOf(times, 0.5)),
    p95Completion: inSeconds(quantileOf(times, 0.95)),
    makespan: run.makespan,
    throughput: run.makespan > 0 && gpus > 0 ? ratio(run.work / run.makespan / gpus) : undefined,
    held: gpuHours(run.busy / SECONDS_PER_HOUR),
    recuts: run.recuts,
    pauses: run.pauses,
    completed: run.completions.length,
    refused: run.refused.length,
  }
}

const inSeconds = (value: number | undefined): Seconds | undefined => (value === undefined ? undefined : seconds(value))
