import {
  ReportScheduleSchema,
  type InputOf,
  type OutputOf,
  type reportSchedulesList,
  type reportSchedulesPut,
  invalidInput,
  notFound,
} from '@septet/contract'
import { instant, type Instant, type SettingStore } from '@septet/domain'
import { Cron } from 'croner'
import { z } from 'zod'

import { isoOrNull } from '../answering/view.ts'

type View = OutputOf<typeof reportSchedulesPut>

const KEY = 'report-schedules'
const KeptSchedule = ReportScheduleSchema.omit({ next: true }).extend({
  /** When it was first set: nothing before that is due. */
  since: z.string(),
})
const Kept = z.array(KeptSchedule)
/** A schedule as it is kept, with what came of the last time. */
export type ReportSchedule = z.output<typeof KeptSchedule>

const MOST = 100

/** Every schedule, in the order in which they were first set. */
export async function readSchedules(settings: SettingStore): Promise<readonly ReportSchedule[]> {
  const kept = await settings.get(KEY)
  return kept === undefined || kept === null ? [] : Kept.parse(kept)
}

/** The schedules with their next times; `mail` says whether letters leave this Septet at all. */
export async function listSchedules(
  settings: SettingStore,
  { now, keepsMails }: { readonly now: number; readonly keepsMails: boolean },
): Promise<OutputOf<typeof reportSchedulesList>> {
  const schedules = await readSchedules(settings)
  return { schedules: schedules.map((schedule) => viewOf(schedule, now)), mail: keepsMails ? 'kept' : 'sent' }
}

/** Sets a schedule; what came of its last time stays. */
export async function putSchedule(
  settings: SettingStore,
  input: InputOf<typeof reportSchedulesPut>,
  now: number,
): Promise<View> {
  const before = await readSchedules(settings)
  const known = before.find(({ id }) => id === input.id)
  const schedule = { ...input, last: known?.last ?? null, since: known?.since ?? new Date(now).toISOString() }
  checkZone(schedule.zone)
  const isNew = known === undefined
  if (isNew && before.length >= MOST) {
    throw invalidInput(`There are ${MOST} schedules already.`, 'Remove one that is no longer read.')
  }
  const after = isNew ? [...before, schedule] : before.map((one) => (one.id === input.id ? schedule : one))
  await settings.put(KEY, after)
  return viewOf(schedule, now)
}

/** Removes a schedule. */
export async function removeSchedule(settings: SettingStore, id: string): Promise<{ removed: string }> {
  const before = await readSchedules(settings)
  if (!before.some((schedule) => schedule.id === id)) {
    throw notFound(`There is no schedule "${id}".`, 'List the schedules to see their names.')
  }
  await settings.put(
    KEY,
    before.filter((schedule) => schedule.id !== id),
  )
  return { removed: id }
}

/** Takes an address from all schedules; the names of those that went to nobody else, and are gone. */
export async function withoutRecipient(settings: SettingStore, email: string): Promise<readonly string[]> {
  const before = await readSchedules(settings)
  const isOther = (address: string): boolean => address.toLowerCase() !== email
  const after = before.map((schedule) => ({ ...schedule, recipients: schedule.recipients.filter(isOther) }))
  const gone = after.filter(({ recipients }) => recipients.length === 0)
  if (after.some(({ recipients }, order) => recipients.length !== before[order]?.recipients.length)) {
    await settings.put(
      KEY,
      after.filter((schedule) => !gone.includes(schedule)),
    )
  }
  return gone.map(({ id }) => id)
}

/** Writes down what came of a time, unless the schedule is gone. */
export async function noteOutcome(settings: SettingStore, id: string, last: NonNullable<View['last']>): Promise<void> {
  const before = await readSchedules(settings)
  await settings.put(
    KEY,
    before.map((schedule) => (schedule.id === id ? { ...schedule, last } : schedule)),
  )
}

const viewOf = ({ since: _since, ...schedule }: ReportSchedule, now: number): View => ({
  ...schedule,
  next: isoOrNull(nextTime(schedule, instant(now))),
})

type Timed = Pick<ReportSchedule, 'rhythm' | 'time' | 'zone'>

/**
 * When a report is due next, after an instant. Where the clocks are put forward over its time of day it is due right
 * after the gap; where they are put back it is due once.
 */
export function nextTime({ rhythm, time, zone }: Timed, after: Instant): Instant | undefined {
  const [hour = '', minute = ''] = time.split(':').map((part) => String(Number(part)))
  const day = rhythm.every === 'month' ? String(rhythm.day) : '*'
  const weekday = rhythm.every === 'week' ? String(rhythm.weekday) : '*'
  const next = new Cron(`${minute} ${hour} ${day} * ${weekday}`, { timezone: zone, paused: true }).nextRun(
    new Date(after),
  )
  return next === null ? undefined : instant(next.getTime())
}

function checkZone(zone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone: zone })
  } catch {
    throw invalidInput(`"${zone}" is not a time zone.`, 'Use an IANA name, such as Europe/Berlin or UTC.')
  }
}
