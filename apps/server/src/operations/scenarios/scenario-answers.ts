import type { OutputOf, scenariosInput } from '@septet/contract'
import { gpusOf, instant, WEEK_MS, type ScenarioSource, type ScenarioStart, type Store } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import type { AnswersOf } from '../answering/answering.ts'
import type { ScenarioService } from './scenario-service.ts'
import { scenarioSource } from './scenario-source.ts'
import { answeredFrom } from '../answering/source.ts'

type Needs = { readonly store: Store; readonly now: () => number; readonly scenarios: ScenarioService }

/** What a scenario starts from, and scenarios that are computed here. */
export function scenarioAnswers({ store, now, scenarios }: Needs): AnswersOf<'scenarios'> {
  const sources = new Sources(store, now)
  return {
    scenariosInput: async (facts, { from }) => inputView(facts, await sources.of(facts, from)),
    scenariosStart: (facts, { scenario }, { caller }) =>
      scenarios.start(caller, scenario, () => sources.of(facts, scenario.from)),
    scenariosGet: ({ id }, { caller }) => scenarios.get(caller.id, id),
    scenariosCancel({ id }, { caller }) {
      scenarios.cancel(caller.id, id)
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

const KEPT_MS = 5 * 60_000

/** Sources that were read lately: a person changes a scenario more often than a week changes. */
class Sources {
  private readonly kept = new Map<string, { readonly at: number; readonly source: Promise<ScenarioSource> }>()
  private readonly store: Store
  private readonly now: () => number

  constructor(store: Store, now: () => number) {
    this.store = store
    this.now = now
  }

  of(facts: ClusterFacts, kind: ScenarioStart): Promise<ScenarioSource> {
    for (const [key, { at }] of this.kept) if (this.now() - at > KEPT_MS) this.kept.delete(key)
    const key = JSON.stringify([facts.record.id, kind])
    const known = this.kept.get(key)
    if (known !== undefined) return known.source
    const source = scenarioSource(facts, this.store, kind)
    this.kept.set(key, { at: this.now(), source })
    const forget = (): unknown => this.kept.delete(key)
    // What is less than a week may be more in a moment, while the past is still read.
    source.then(({ from, to }) => (kind === 'week' && to - from < WEEK_MS ? forget() : undefined), forget)
    return source
  }
}
