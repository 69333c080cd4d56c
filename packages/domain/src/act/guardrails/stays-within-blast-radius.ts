import type { ActionRun } from '../action-run.ts'
import type { ActPolicy, BlastLimits } from '../policy/act-policy.ts'
import { isUnderWay, wasAutomatic } from '../policy/run-times.ts'
import type { ActContext, ActRule } from './act-context.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'
import { dollars, listed, plural } from '../../words.ts'
import type { BlastRadius } from '../policy/blast-radius.ts'
import { DAY_MS, HOUR_MS } from '../../units.ts'

const SPANS = { hour: HOUR_MS, day: DAY_MS } as const
type Span = keyof typeof SPANS

/** One run touches no more than a person allowed. */
export const staysWithinRun: ActRule = ({ touched, policy }) =>
  tooMuch(overLimits([touched], policy.limits.run), 'This change alone touches')

/** All runs of an hour, or of a day, those that are under way among them, touch no more than a person allowed. */
export const staysWithin =
  (span: Span): ActRule =>
  (context) =>
    tooMuch(overIn(span, context, context.policy), `With the other changes of the last ${span} it touches`)

/** What Septet approves itself stays within a budget of its own, for an hour and for a day. */
export const staysWithinAuto =
  (span: Span): ActRule =>
  (context) => {
    if (context.approval?.kind !== 'septet') return undefined
    const over = overIn(span, context, { limits: context.policy.auto.budget, isCounted: wasAutomatic })
    return tooMuch(over, `With the other automatic changes of the last ${span} it touches`)
  }

const tooMuch = (over: string | undefined, what: string): string | undefined =>
  over && `${what} ${over}. Wait, choose a smaller change, or raise the limit in ${WHERE_POLICIES_ARE}.`

type Counted = {
  readonly limits: Pick<ActPolicy['limits'], Span>
  readonly isCounted?: (run: ActionRun) => boolean
}

function overIn(
  span: Span,
  { touched, past, now }: ActContext,
  { limits, isCounted = () => true }: Counted,
): string | undefined {
  const others = past.filter(({ run, at }) => (isUnderWay(run) || at > now - SPANS[span]) && isCounted(run))
  return overLimits([touched, ...others.map((each) => each.touched)], limits[span])
}

const COUNTED = { pods: 'pod', nodes: 'node', gpus: 'GPU' } as const

/** What all of these touch together exceeds, in words: "24 GPUs (16 allowed)"; undefined where it exceeds nothing. */
export function overLimits(radii: readonly BlastRadius[], limits: BlastLimits): string | undefined {
  const sum = (amount: (radius: BlastRadius) => number): number => radii.reduce((all, each) => all + amount(each), 0)
  const over = (['pods', 'nodes', 'gpus'] as const).flatMap((field) => {
    const [count, limit] = [sum((radius) => radius[field].length), limits[field]]
    return limit === undefined || count <= limit ? [] : `${plural(count, COUNTED[field])} (${limit} allowed)`
  })
  const words = [...over, ...overMoney(radii, limits)]
  return words.length === 0 ? undefined : listed(words)
}

/** What has no price may cost anything, so it is not within a limit of money. */
function overMoney(radii: readonly BlastRadius[], { usdPerHour: limit }: BlastLimits): readonly string[] {
  if (limit === undefined) return []
  const hourly = radii.reduce((all, { usdPerHour }) => all + usdPerHour, 0)
  if (hourly > limit) return [`GPUs for ${dollars(hourly)} an hour (${dollars(limit)} allowed)`]
  const unpriced = radii.reduce((all, radius) => all + radius.unpriced.length, 0)
  const models = [...new Set(radii.flatMap(({ unpricedModels }) => unpricedModels))]
  return unpriced === 0
    ? []
    : [
        `${plural(unpriced, 'GPU')} without a price (${dollars(limit)} an hour allowed; set a price for ${listed(models)} in Settings → Prices)`,
      ]
}
