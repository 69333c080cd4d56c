import type { Condition } from './line.ts'
import { type FigureName, SUBJECTS, type SubjectName } from './vocabulary.ts'

/**
 * Whether a time counts in what is asked for: how many workloads wait and what they hold is told as it is now, and only
 * what they cost, how busy they were and which have ended is of a time.
 */
export const isOverTime = (
  subject: SubjectName,
  figures: readonly FigureName[],
  where: readonly Condition[],
): boolean =>
  SUBJECTS[subject].isTimed &&
  (subject !== 'workloads' ||
    figures.some((figure) => SUBJECTS.fleet.figures.includes(figure)) ||
    where.some((condition) => condition.kind === 'state' && condition.state === 'ended' && !condition.not))
