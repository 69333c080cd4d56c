import type { Answer } from '../../../api.ts'

type Schedule = Answer<'reportSchedulesList'>['schedules'][number]

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** When a report is mailed: "every Monday at 08:00 (UTC)". */
export function rhythmWords({ rhythm, time, zone }: Pick<Schedule, 'rhythm' | 'time' | 'zone'>): string {
  const at = `at ${time} (${zone})`
  if (rhythm.every === 'day') return `every day ${at}`
  if (rhythm.every === 'week') return `every ${WEEKDAYS[rhythm.weekday - 1] ?? 'week'} ${at}`
  return `on day ${rhythm.day} of each month ${at}`
}

/** The choices of the form: `day`, `week-1` to `week-7`, `month-1`. */
export const RHYTHMS: readonly { readonly value: string; readonly words: string }[] = [
  { value: 'day', words: 'every day' },
  ...WEEKDAYS.map((day, index) => ({ value: `week-${index + 1}`, words: `every ${day}` })),
  { value: 'month-1', words: 'on the first of each month' },
  { value: 'month-15', words: 'on the 15th of each month' },
]

/** What a choice of the form means. */
export function rhythmOf(value: string): Schedule['rhythm'] {
  const [every, number] = value.split('-')
  if (every === 'week') return { every, weekday: Number(number) }
  return every === 'month' ? { every, day: Number(number) } : { every: 'day' }
}
