import type { Order } from '../../../api.ts'
import type { PlanOrder } from '../../client/use-computed.ts'

export type AppointmentForm = Order<'appointmentsPropose'>

/** What an address may tell of an appointment, by the names of the form's fields. */
const ASK_FIELDS = ['gpus', 'cut', 'per', 'board', 'at', 'hours', 'for', 'longest', 'evict'] as const
type AskField = (typeof ASK_FIELDS)[number]
export type AskText = Readonly<Record<AskField, string>>

/** What the form holds: what the address tells, and what is usual of what it does not. */
export function readAsk(search: URLSearchParams, now: Date): AskText {
  const at = new Date(search.get('at') ?? '')
  const told = (field: AskField, usual: string): string => search.get(field) ?? usual
  return {
    gpus: told('gpus', '8'),
    cut: told('cut', ''),
    per: told('per', search.has('cut') ? '1' : '8'),
    board: told('board', ''),
    at: localMinute(Number.isNaN(at.getTime()) ? nextMonday(now) : at),
    hours: told('hours', '8'),
    for: told('for', ''),
    longest: told('longest', ''),
    evict: told('evict', '10'),
  }
}

/** The address that tells the same, its instant in UTC. */
export function writeAsk(search: URLSearchParams, ask: AskText): URLSearchParams {
  const after = new URLSearchParams(search)
  for (const field of ASK_FIELDS) {
    const text = field === 'at' ? instantOf(ask.at) : ask[field]
    if (text === '') after.delete(field)
    else after.set(field, text)
  }
  return after
}

/** The question as the server takes it. */
export const askOf = (ask: AskText, cluster: string | undefined): AppointmentForm => ({
  ...(cluster === undefined ? {} : { cluster }),
  gpus: Number(ask.gpus),
  ...(ask.cut === '' ? {} : { profile: ask.cut }),
  perNode: Number(ask.per),
  ...(ask.board === '' ? {} : { model: ask.board }),
  ...(ask.for === '' ? {} : { namespace: ask.for }),
  at: instantOf(ask.at),
  hours: Number(ask.hours),
  ...(ask.longest === '' ? {} : { longestHours: Number(ask.longest) }),
  maxDisplaced: Number(ask.evict),
})

/** The same as the planner is asked. */
export const orderOf = ({ cluster, maxDisplaced, ...goal }: AppointmentForm): PlanOrder => ({
  ...(cluster === undefined ? {} : { cluster }),
  goal: { kind: 'appointment', ...goal },
  ...(maxDisplaced === undefined ? {} : { maxDisplaced }),
})

/** Nine o'clock on the Monday that comes. */
function nextMonday(now: Date): Date {
  const days = (8 - now.getDay()) % 7 || 7
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 9)
}

/** As a field for a time of day takes it, in the time zone of the browser. */
const localMinute = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

const instantOf = (local: string): string => {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}
