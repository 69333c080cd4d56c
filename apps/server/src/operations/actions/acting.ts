import {
  Refusal,
  type actingResume,
  type actingStop,
  type actionsList,
  type InputOf,
  type OutputOf,
} from '@septet/contract'
import { instant, type ActionStore, type Caller, type StopOrder } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { isoOf } from '../answering/view.ts'

type ActingView = OutputOf<typeof actionsList>['acting']

/** Whether Septet may act on a cluster now, and why not. */
export function actingView(facts: ClusterFacts, stops: readonly StopOrder[]): ActingView {
  const { name } = facts.record
  const own = stops.filter(({ cluster }) => cluster === undefined || cluster === facts.record.id)
  const views = own.map(stopView)
  const acting = facts.acting()
  if (acting.kind === 'agent' || acting.kind === 'observe') {
    const because = {
      agent: `${name} is read by an agent, and agents only read: Septet recommends changes but cannot make them.`,
      observe: `Septet only observes ${name}: it has no credentials to change it.`,
    }[acting.kind]
    return { state: 'observe', because, stops: views }
  }
  if (acting.kind === 'others') {
    const because = `Another installation of Septet (${acting.holder}) acts on ${name}, so this one only observes.`
    return { state: 'others', because, stops: views }
  }
  const [stop] = own
  if (stop === undefined) return { state: 'ready', because: `Septet can change ${name} with your approval.`, stops: [] }
  const because = `${stop.by} has stopped acting${stop.cluster === undefined ? ' everywhere' : ` on ${name}`}: ${stop.because}`
  return { state: 'stopped', because, stops: views }
}

const stopView = ({ cluster, at, by, because }: StopOrder): ActingView['stops'][number] => ({
  everywhere: cluster === undefined,
  at: isoOf(at),
  by,
  because,
})

type Stopping = { readonly actions: ActionStore; readonly now: () => number; readonly caller: Caller }
type Stopped = OutputOf<typeof actingStop>

export async function stopActing(
  facts: ClusterFacts,
  { actions, now, caller }: Stopping,
  { everywhere, reason }: InputOf<typeof actingStop>,
): Promise<Stopped> {
  refuseElsewhere(caller, everywhere)
  const by = caller.name
  await actions.stop({ cluster: everywhere ? undefined : facts.record.id, at: instant(now()), by, because: reason })
  return stopsOf(facts, actions)
}

export async function resumeActing(
  facts: ClusterFacts,
  { actions, caller }: Pick<Stopping, 'actions' | 'caller'>,
  input: InputOf<typeof actingResume>,
): Promise<Stopped> {
  const everywhere = input.everywhere === 'true'
  refuseElsewhere(caller, everywhere)
  const lifted = await actions.resume(everywhere ? undefined : facts.record.id)
  if (lifted) return stopsOf(facts, actions)
  throw new Refusal(
    'not-found',
    everywhere ? 'Acting is not stopped everywhere.' : `Acting on ${facts.record.name} is not stopped by itself.`,
    'The list of actions shows the stops in force.',
  )
}

/** Anyone who sees some clusters alone decides nothing for the others. */
function refuseElsewhere({ name, clusters }: Caller, everywhere: boolean): void {
  if (!everywhere || clusters === undefined) return
  throw new Refusal(
    'not-allowed',
    `${name} may see ${clusters.join(', ')} only, so it cannot decide for all clusters.`,
    'Stop each of its clusters by name.',
  )
}

async function stopsOf(facts: ClusterFacts, actions: ActionStore): Promise<Stopped> {
  return { stops: actingView(facts, await actions.stops()).stops }
}
