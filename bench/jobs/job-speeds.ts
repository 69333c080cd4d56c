import { type ProfileName } from '@septet/domain'
import { type CsvTable, readCsv } from '../placement/csv-table.ts'
import type { JobMenu } from './job-menu.ts'

/** Measured speeds of jobs on MIG profiles. */
export type JobSpeeds = {
  /** Speed relative to the whole GPU for each profile of the menu, by `jobKind` the job; 0 where it did not run. */
  readonly byKind: ReadonlyMap<string, readonly number[]>
  /** Rows that could not be used, and why. */
  readonly problems: readonly string[]
}

/** Jobs run at one speed that train one model with one batch size. */
export const jobKind = (model: string, batch: string): string => `${model} ${batch}`

/** No instance was ever measured to be twice as fast as the GPU that it is a part of. */
const MOST_SPEED = 2

/**
 * Reads `mig_iteration_time.csv` in the form of MISO's published logs (columns model, batch, mig_profile, speed_vs_7g). A profile without a row is one that the job's memory does not fit. Rows with a speed that cannot be, of
 * an unknown profile, or a second time, are left out and named.
 */
export function readJobSpeeds(text: string, menu: JobMenu, file = 'mig_iteration_time.csv'): JobSpeeds {
  const table = readCsv(text, file, ['model', 'batch', 'mig_profile', 'speed_vs_7g'])
  const problems = [...table.problems]
  const byKind = new Map<string, number[]>()
  for (const row of table.rows) {
    const kind = jobKind(row.text('model'), row.text('batch'))
    const speeds = byKind.get(kind) ?? menu.profiles.map(() => 0)
    const profile = menu.profiles.indexOf(row.text('mig_profile'))
    const because = flaw({
      profile,
      name: row.text('mig_profile'),
      speed: row.text('speed_vs_7g'),
      seen: speeds[profile],
    })
    if (because !== undefined) {
      problems.push(`${file}, line ${row.line}: ${because}; the row is left out.`)
      continue
    }
    speeds[profile] = Number(row.text('speed_vs_7g'))
    byKind.set(kind, speeds)
  }
  return { byKind, problems }
}

/** Profiles that a speed table names, to make a menu of. */
export const profilesIn = (text: string): readonly ProfileName[] => {
  const { rows }: CsvTable = readCsv(text, 'speeds', ['mig_profile'])
  return [...new Set(rows.map((row) => row.text('mig_profile')))].toSorted()
}

type Cell = {
  readonly profile: number
  readonly name: string
  readonly speed: string
  readonly seen: number | undefined
}

function flaw({ profile, name, speed, seen }: Cell): string | undefined {
  if (profile < 0) return `the board has no profile "${name}"`
  const value = speed === '' ? Number.NaN : Number(speed)
  if (!(value > 0 && value <= MOST_SPEED))
    return `speed_vs_7g is "${speed}"; it must be above 0 and at most ${MOST_SPEED}`
  return seen !== undefined && seen > 0 ? `a second row for ${name} of the same model and batch` : undefined
}
