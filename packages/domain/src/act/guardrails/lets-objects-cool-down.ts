import { instant } from '../../units.ts'
import { type ActRule, refusing } from './act-context.ts'
import { nameOf, timeWords } from './words.ts'

/** What was changed or moved is left alone for a while. */
export const letsObjectsCoolDown: ActRule = ({ past, changed, policy, now }) => {
  for (const { at, changed: before } of past) {
    const until = instant(at + policy.coolDown * 1000)
    const again = [...changed].find((object) => before.has(object))
    if (again !== undefined && until > now) {
      return refusing(
        'cool-down',
        `${nameOf(again)} was changed on ${timeWords(at)} and is left alone until ${timeWords(until)}. Wait until then.`,
      )
    }
  }
  return undefined
}
