import { gpuHours, usd } from '../../units.ts'
import { isWrong, type ShadowAction, type ShadowOutcome, type ShadowTotals } from './shadow.ts'

/** What all of them come to. Money is of what has a price, and unknown where nothing has one. */
export function totalsOf(actions: readonly ShadowAction[]): ShadowTotals {
  const sum = (amountOf: (action: ShadowAction) => number): number =>
    actions.reduce((total, action) => total + amountOf(action), 0)
  const count = (kind: ShadowOutcome['kind']): number => sum(({ outcome }) => (outcome.kind === kind ? 1 : 0))
  const priced = actions.filter(({ freed }) => freed.usd !== undefined)
  return {
    objects: new Set(actions.map(({ object }) => object)).size,
    wrong: sum(({ outcome }) => (isWrong(outcome) ? 1 : 0)),
    gpuHours: gpuHours(sum(({ freed }) => freed.gpuHours)),
    usd: actions.length > 0 && priced.length === 0 ? undefined : usd(sum(({ freed }) => freed.usd ?? 0)),
    unpriced: gpuHours(sum(({ freed }) => freed.unpriced)),
    unknownHours: sum(({ freed }) => freed.unknownHours),
    outcomes: {
      'came-back-at-once': count('came-back-at-once'),
      'too-little-memory': count('too-little-memory'),
      'too-little-compute': count('too-little-compute'),
      'no-room': count('no-room'),
      'came-back-later': count('came-back-later'),
      ended: count('ended'),
      'still-idle': count('still-idle'),
      'held-up': count('held-up'),
      'not-known': count('not-known'),
    },
  }
}
