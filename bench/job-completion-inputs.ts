import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { boardFor } from '@septet/domain'

import { jobMenu, type JobMenu } from './jobs/job-menu.ts'
import { profilesIn, readJobSpeeds, type JobSpeeds } from './jobs/job-speeds.ts'
import { readJobList, type ListedJob } from './jobs/job-list.ts'

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
  const folder = input ?? path.join(import.meta.dirname, '../../shared/traces/miso-a100-2022')
  const board = boardFor('A100-SXM4-40GB')
  if (board === undefined) throw new Error('the catalog has no A100-SXM4-40GB')
  const text = readFrom(folder, SPEEDS)
  const known = profilesIn(text).filter((name) => board.profiles.some((profile) => profile.name === name))
  const menu = jobMenu(board, known)
  const speeds = readJobSpeeds(text, menu, SPEEDS)
  if (speeds.byKind.size === 0) throw new Error(`no speed in ${SPEEDS} can be used: ${speeds.problems.join(' ')}`)
  const { jobs: list, problems } = readJobList(readFrom(folder, LIST), speeds, LIST)
  if (list.length === 0) throw new Error(`no job in ${LIST} can be used: ${problems.join(' ')}`)
  return { menu, speeds, list, problems: [...speeds.problems, ...problems] }
}

function readFrom(folder: string, name: string): string {
  const file = path.join(folder, name)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  throw new Error(
    `${file} is missing: job-completion reads ${SPEEDS} and ${LIST} of MISO (SoCC 2022) from there; name their folder with --input DIR`,
  )
}
