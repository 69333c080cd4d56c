import { isOpen, nextOpening } from '../policy/maintenance-window.ts'
import { type ActRule, refusing } from './act-context.ts'
import { timeWords } from './words.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'

/** Changes begin inside maintenance windows, where there are any. */
export const keepsToMaintenanceWindows: ActRule = ({ policy: { windows }, now }) => {
  if (isOpen(windows, now)) return undefined
  const next = nextOpening(windows, now)
  return refusing(
    'maintenance-window',
    next === undefined
      ? `No maintenance window ever opens: their time zones are unknown. Correct them in ${WHERE_POLICIES_ARE}.`
      : `No maintenance window is open. The next one opens on ${timeWords(next)}; windows are set in ${WHERE_POLICIES_ARE}.`,
  )
}
