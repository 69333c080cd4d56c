import type { MadePlan, Says } from '@septet/contract'
import { say } from '@septet/contract/says'
import { plural } from '@septet/domain/words'

type Figures = Pick<
  MadePlan,
  'title' | 'because' | 'kind' | 'steps' | 'displaced' | 'bound' | 'proof' | 'use' | 'saving' | 'refused' | 'notes'
>

/** A plan in sentences: what it does and whom it stops, how good that is, what it is worth, and what must be known. */
export const planSays = (plan: Figures): Says => [
  headOf(plan),
  ...(plan.bound === null ? [] : [say(`${plan.bound}${PROOF_WORDS[plan.proof ?? 'open']}.`, 'bound', 'proof')]),
  ...(plan.use === null ? [] : [say(useText(plan.use), 'use.before', 'use.after', 'use.gpus', 'use.heldWhole')]),
  ...(plan.saving === null ? [] : [say(worthText(plan.saving), 'saving.usdPerMonth', 'saving.gpus', 'saving.prices')]),
  ...refusedSays(plan),
  // What stands in the place of steps is said already.
  ...plan.notes.flatMap((note, order) => (note === plan.because ? [] : say(note, `notes[${order}]`))),
]

const PROOF_WORDS = { best: ' (proven)', open: '' }

function headOf({ kind, because, title, steps, displaced }: Figures): Says[number] {
  if (kind === 'refused') return say(`A guardrail blocks it: ${because ?? ''}`, 'because', 'refused')
  if (kind !== 'plan') return say(because ?? 'Nothing to do.', 'because')
  const who =
    displaced.length === 0 ? 'No running pod stops' : `${plural(displaced.length, 'pod is', 'pods are')} stopped`
  return say(`${title}: ${plural(steps.length, 'step')}. ${who}.`, 'title', 'steps', 'displaced')
}

const useText = ({ before, after, gpus, heldWhole }: NonNullable<MadePlan['use']>): string =>
  `${before} in use before, ${after} after, of ${plural(gpus, 'GPU')} that a layout can change${heldWhole === 0 ? '' : `; pods hold ${heldWhole} more whole`}.`

function worthText({ gpus, usdPerMonth, prices }: NonNullable<MadePlan['saving']>): string {
  const what = plural(gpus, 'GPU')
  return usdPerMonth === null
    ? `What ${what} cost is unknown, because a price is missing: ${prices.join(' ')}`
    : `Worth $${usdPerMonth.toLocaleString('en-US', { minimumFractionDigits: 2 })} per month for ${what}, once the node is gone or other work runs there (${prices.join('; ')}).`
}

/** The first stands in the place of the steps where nothing else is left. */
const refusedSays = ({ kind, refused }: Figures): Says =>
  refused.flatMap(({ object, message }, order) =>
    kind === 'refused' && order === 0 ? [] : say(`Left out, ${object}: ${message}`, `refused[${order}]`),
  )
