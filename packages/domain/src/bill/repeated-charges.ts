import { secondText } from '../analyze/time-range.ts'
import { HOUR_MS } from '../units.ts'
import { type BillAmounts, NOTHING, plus } from './bill-amounts.ts'
import type { FocusLine } from './focus-line.ts'

type Times = { file: number; now: number; before: number }
type Known = { readonly times: Map<string, Times>; readonly hours: Map<number, { file: number; sum: number }> }

/**
 * Tells charges of a file that stand in an earlier one too: the same bill twice, or two exports that overlap. A charge that
 * stands several times in one file is several charges: FOCUS has no key for a line, and some services charge alike.
 */
export class RepeatedCharges {
  readonly #known = new Map<string, Known>()
  #repeated = NOTHING

  /** Sums of what was left out. */
  get repeated(): BillAmounts {
    return this.#repeated
  }

  /**
   * Whether the charge is one of an earlier file. Throws where files charge a machine for more hours than there are, which
   * makes them two versions of one bill.
   */
  isRepeated(line: FocusLine, file: number): boolean {
    const known = this.#knownOf(line)
    const { period, billed, effective, list } = line
    const key = [period.from, period.to, billed, effective, list, line.time?.hours].join('|')
    const times = known.times.get(key) ?? { file, now: 0, before: 0 }
    known.times.set(key, times)
    if (times.file !== file) Object.assign(times, { file, now: 0, before: Math.max(times.before, times.now) })
    times.now += 1
    if (times.now <= times.before) {
      this.#repeated = plus(this.#repeated, line)
      return true
    }
    refuseSecondVersion(known, line, file)
    return false
  }

  #knownOf(line: FocusLine): Known {
    const { category, isCorrection, pricing, provider, service, region, resource, description, sku, usageType } = line
    const key = JSON.stringify([
      [category, isCorrection, pricing, provider, service, region, resource, description, sku, usageType],
      [line.commitment, line.reservation, line.instanceType, line.currency],
    ])
    const known = this.#known.get(key) ?? { times: new Map(), hours: new Map() }
    this.#known.set(key, known)
    return known
  }
}

/** The same machine, at the same price, in the same hours: together they must fit into them. */
function refuseSecondVersion({ hours }: Known, line: FocusLine, file: number): void {
  const { resource, period, time } = line
  const length = (period.to - period.from) / HOUR_MS
  if (!isOfOneMachine(line) || time === undefined || time.hours <= 0 || time.hours > length) return
  const { sum, file: before } = hours.get(period.from) ?? { sum: 0, file }
  hours.set(period.from, { file, sum: sum + time.hours })
  if (before === file || sum + time.hours <= length + 1e-6) return
  const at = secondText(period.from).slice(0, 16).replace('T', ' ')
  throw new Error(
    `Two of the files charge ${resource} for the same hours from ${at} UTC at different amounts, so they are two versions of one bill. Import the newer one alone.`,
  )
}

const isOfOneMachine = ({ category, isCorrection, resource, instanceType, time }: FocusLine): boolean =>
  category === 'Usage' && !isCorrection && resource !== '' && instanceType !== '' && time?.of === 'machine'
