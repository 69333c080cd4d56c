import { instant, whereProtected, type ActionRun, type LastDue, type StepContext } from '@septet/domain'
import { Cron } from 'croner'

import type { Turn } from './act-parts.ts'

type Work = { readonly run: ActionRun; readonly isUndo: boolean; readonly isRehearsal?: boolean }

/** What a step of a run is decided by, beside what the cluster says. */
export async function stepContext(
  turn: Turn,
  { run, isUndo, isRehearsal = false }: Work,
): Promise<Omit<StepContext, 'written'>> {
  const { clock, operatorNamespace, patience } = turn
  return {
    run: run.id,
    isUndo,
    isRehearsal,
    now: clock(),
    operatorNamespace,
    patience,
    isProtected: removesNode(run) ? await protection(turn) : everywhere,
    lastDue,
  }
}

/** Only who empties a node asks; looks follow one another, and each would read what nobody needs. */
const removesNode = ({ plan }: ActionRun): boolean => plan.steps.some(({ action }) => action.kind === 'remove-node')

async function protection(turn: Turn): Promise<StepContext['isProtected']> {
  const [policy, plans] = await Promise.all([turn.policy(), turn.plans()])
  return (namespace) => whereProtected(namespace, { policy, plans }) !== undefined
}

/** What was not read might forbid anything. */
const everywhere = (): boolean => true

const lastDue: LastDue = (schedule, now) => {
  try {
    // It looks for times before the reference, which may be due itself.
    const [last] = new Cron(schedule, { timezone: 'UTC', paused: true }).previousRuns(1, new Date(now + 1000))
    return last === undefined ? undefined : instant(last.getTime())
  } catch {
    return undefined
  }
}
