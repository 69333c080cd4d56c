import type { TimeRange } from '@septet/domain'

import type { Namespaces, RangeAnalysis } from '../facts.ts'
import { AnalysisCache, type AnalysisCacheOptions } from './analysis-cache.ts'
import { analysisKey, NAMESPACE_SETS_KEPT, type AnalysisOf } from '../read-model/questions.ts'
import { RecentlyUsed } from '../recently-used.ts'

type Cache = AnalysisCache<RangeAnalysis>

type NamespaceAnalysesOptions = Pick<AnalysisCacheOptions<RangeAnalysis>, 'clock' | 'maxAgeMs' | 'onFailure'> & {
  readonly compute: (range: TimeRange, namespaces: Namespaces) => Promise<RangeAnalysis | undefined>
  /** Called with every analysis that is computed. */
  readonly analyzed: (of: AnalysisOf, analysis: RangeAnalysis) => void
}

/** The newest analyses of each set of namespaces that somebody is limited to. */
export class NamespaceAnalyses {
  readonly #options: NamespaceAnalysesOptions
  readonly #caches = new RecentlyUsed<Cache>(NAMESPACE_SETS_KEPT)

  constructor(options: NamespaceAnalysesOptions) {
    this.#options = options
  }

  get(range: TimeRange, namespaces: Namespaces): Promise<RangeAnalysis | undefined> {
    const key = analysisKey({ range, namespaces })
    const cache = this.#caches.get(key) ?? this.#cacheOf(namespaces)
    this.#caches.set(key, cache)
    return cache.get(range)
  }

  #cacheOf(namespaces: Namespaces): Cache {
    const { compute, analyzed, ...options } = this.#options
    return new AnalysisCache<RangeAnalysis>({
      ...options,
      compute: (range) => compute(range, namespaces),
      onComputed: (range, _tookMs, analysis) => {
        if (analysis !== undefined) analyzed({ range, namespaces }, analysis)
      },
    })
  }
}
