import { boardFor } from '@septet/domain'

import { jobMenu, type JobMenu } from './jobs/job-menu.ts'
import { profilesIn, readJobSpeeds, type JobSpeeds } from './jobs/job-speeds.ts'
import { readJobList, type ListedJob } from './jobs/job-list.ts'
import { readTrace } from './trace-file.ts'

export type JobInputs = {
  readonly menu: JobMenu
  readonly speeds: JobSpeeds
  readonly list: readonly ListedJob[]
  /** What of the files could not be used. */
  readonly problems: readonly string[]
}

const SPEEDS = 'mig_iteration_time.csv'
const LIST = 'job_trace_100.csv'

/** The published inputs of MISO. Throws a sentence when a file is absent or nothing of it can be used. */
export function readJobInputs(input: string | undefined): JobInputs {
  const set = 'miso-a100-2022'
  const board = boardFor('A100-SXM4-40GB')
  if (board === undefined) throw new Error('the catalog has no A100-SXM4-40GB')
  const text = readTrace({ set, name: SPEEDS, input })
  const known = profilesIn(text).filter((name) => board.profiles.some((profile) => profile.name === name))
  const menu = jobMenu(board, known)
  const speeds = readJobSpeeds(text, menu, SPEEDS)
  if (speeds.byKind.size === 0) throw new Error(`no speed in ${SPEEDS} can be used: ${speeds.problems.join(' ')}`)
  const { jobs: list, problems } = readJobList(readTrace({ set, name: LIST, input }), speeds, LIST)
  if (list.length === 0) throw new Error(`no job in ${LIST} can be used: ${problems.join(' ')}`)
  return { menu, speeds, list, problems: [...speeds.problems, ...problems] }
}
