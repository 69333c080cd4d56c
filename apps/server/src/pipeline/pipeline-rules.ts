import type { AnalysisPolicy, RecommendPolicy, Retention, SettingStore } from '@septet/domain'

import { analysisPolicyOf, DEFAULT_POLICIES, readPolicies, type KeptPolicies } from '../policies.ts'
import { DEFAULT_RETENTION, inSeconds, readRetention } from '../retention.ts'

/** What people have decided that a pipeline goes by, as of its last turn. */
export class PipelineRules {
  readonly #settings: SettingStore
  #kept: KeptPolicies = {
    policies: DEFAULT_POLICIES,
    changedAt: undefined,
    changedBy: undefined,
    idleSince: undefined,
  }
  #retention = inSeconds(DEFAULT_RETENTION)

  constructor(settings: SettingStore) {
    this.#settings = settings
  }

  /**
   * Reads them again and tells whether policies changed; what was read before stays where the store does not answer.
   */
  async refresh(): Promise<boolean> {
    try {
      const [kept, days] = await Promise.all([readPolicies(this.#settings), readRetention(this.#settings)])
      const changed = kept.changedAt !== this.#kept.changedAt
      this.#kept = kept
      this.#retention = inSeconds(days)
      return changed
    } catch {
      // The store says so itself wherever something is written; a turn goes on by the rules that it knows.
      return false
    }
  }

  analysis = (): AnalysisPolicy => analysisPolicyOf(this.#kept)
  retention = (): Retention => this.#retention
  recommend = (): RecommendPolicy => ({ analysis: this.analysis(), plans: this.#kept.policies.plans })
}
