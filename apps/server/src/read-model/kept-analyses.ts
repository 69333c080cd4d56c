import { RecentlyUsed } from '../recently-used.ts'
import { analysisKey, type AnalysisOf } from './questions.ts'

/** Of so many ranges and sets of namespaces together something is kept, and of so many windows that somebody chose. */
const NAMESPACE_SETS_KEPT = 64
const WINDOWS_KEPT = 24

/** Something for each analysis. Of windows and of sets of namespaces there is no end: those asked for last are kept. */
export class KeptAnalyses<Value> {
  readonly #ofRanges = new Map<string, Value>()
  readonly #ofNamespaces = new RecentlyUsed<Value>(NAMESPACE_SETS_KEPT)
  readonly #ofWindows = new RecentlyUsed<Value>(WINDOWS_KEPT)

  get = (of: AnalysisOf): Value | undefined => this.#kept(of).get(analysisKey(of))

  set(of: AnalysisOf, value: Value): void {
    this.#kept(of).set(analysisKey(of), value)
  }

  values = (): readonly Value[] =>
    [this.#ofRanges, this.#ofNamespaces, this.#ofWindows].flatMap((kept) => [...kept.values()])

  #kept({ range, namespaces }: AnalysisOf): Pick<RecentlyUsed<Value> | Map<string, Value>, 'get' | 'set'> {
    if (namespaces !== undefined) return this.#ofNamespaces
    return range.kind === 'quick' ? this.#ofRanges : this.#ofWindows
  }
}
