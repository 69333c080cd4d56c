import type { OutputOf, scenariosInput } from '@septet/contract'
import { gpusOf, instant, WEEK_MS, type ScenarioSource, type ScenarioStart, type Store } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import type { AnswersOf } from '../answering/answering.ts'
import type { ScenarioService } from './scenario-service.ts'
import { scenarioSource } from './scenario-source.ts'
import { answeredFrom } from '../answering/source.ts'
import { keptFor } from '../../recently-used.ts'

type Needs = { readonly store: Store; readonly now: () => number; readonly scenarios: ScenarioService }

/** What a scenario starts from, and scenarios that are computed here. */
export function scenarioAnswers({ store, now, scenarios }: Needs): AnswersOf<'scenarios'> {
  const sourceOf = recentSources({ store, now })
  return {
    scenariosInput: async (facts, { from }) => inputView(facts, await sourceOf(facts, from)),
    scenariosStart: (facts, { scenario }, { caller }) =>
      scenarios.start(caller, scenario, () => sourceOf(facts, scenario.from)),
    scenariosGet: ({ id }, { caller }) => scenarios.get(caller.id, id),
    async scenariosCancel({ id }, { caller }) {
      await scenarios.cancel(caller.id, id)
      return { cancelled: id }
    },
  }
}

const inputView = (facts: ClusterFacts, source: ScenarioSource): OutputOf<typeof scenariosInput> => ({
  ...answeredFrom(facts, { from: instant(source.from), to: instant(source.to) }),
  pods: source.jobs.at.length,
  gpus: gpusOf(source.groups),
  // How GPUs are partitioned is for the replay alone.
  groups: source.groups.map((group) => ({ ...group, cuts: undefined })),
  notes: source.notes,
})

/** A person changes a scenario more often than a week changes. */
const KEPT_MS = 5 * 60_000

/** Sources that were read lately. */
function recentSources({ store, now }: Pick<Needs, 'store' | 'now'>) {
  const kept = keptFor<ScenarioSource>(KEPT_MS, now)
  return (facts: ClusterFacts, kind: ScenarioStart): Promise<ScenarioSource> => {
    const key = JSON.stringify([facts.record.id, kind])
    return kept.get(key, async () => {
      const source = await scenarioSource(facts, store, kind)
      // What is less than a week may be more in a moment, while the past is still read.
      if (kind === 'week' && source.to - source.from < WEEK_MS) kept.forget(key)
      return source
    })
  }
}
