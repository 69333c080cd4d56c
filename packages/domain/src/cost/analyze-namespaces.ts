import { unknown } from '../analyze/figure.ts'
import type { TrendPoint } from '../analyze/trend.ts'
import { heldBy } from '../cluster/held-by.ts'
import { analyzeCluster, type AnalysisSources } from './analyze-cluster.ts'
import type { ClusterAnalysis } from './cluster-analysis.ts'

export type NamespaceSources = Omit<AnalysisSources, 'observed'> & {
  readonly namespaces: ReadonlySet<string>
  /** For how long the whole cluster was seen: that they held nothing for an hour does not make the hour unseen. */
  readonly observed: NonNullable<AnalysisSources['observed']>
}

/**
 * What an analysis says about some namespaces: made from what they hold and from sums over their rows alone, so that
 * nothing of others can be in it. What is nobody's has no part in it: no free or stranded capacity, and so no share of
 * capacity that is allocated; busy is the busy share of what they held. Every total must be of rows that these namespaces held.
 */
export function analyzeNamespaces({ namespaces, snapshot, ...sources }: NamespaceSources): ClusterAnalysis {
  const analysis = analyzeCluster({ ...sources, snapshot: heldBy(snapshot, namespaces) })
  const { utilization, mig, trend } = analysis
  return {
    ...analysis,
    scope: 'namespaces',
    utilization: {
      ...utilization,
      busy: utilization.busyOfAllocated,
      allocation: unknown(NOT_OF_NAMESPACES),
      unallocated: unknown(NOT_OF_NAMESPACES),
      stranded: unknown(NOT_OF_NAMESPACES),
    },
    mig: {
      ...mig,
      sliceCoverage: unknown(NOT_OF_NAMESPACES),
      sliceAllocation: unknown(NOT_OF_NAMESPACES),
      fragmentation: unknown(NOT_OF_NAMESPACES),
      byProfile: [],
      structurallyStranded: 0,
      strandedByPlacement: 0,
    },
    trend: trend.map(ofHeld),
    trendByModel: analysis.trendByModel.map((each) => ({
      ...each,
      points: each.points.map((point) => point && ofHeld(point)),
    })),
  }
}

/** Busy of what they held; what share of the capacity that is, they are not told. */
const ofHeld = (point: TrendPoint): TrendPoint => ({ ...point, busy: point.busyOfAllocated, allocation: undefined })

/** Why a figure about what nobody holds, or about a whole cluster, is not there for a view of some namespaces. */
export const NOT_OF_NAMESPACES = 'Your view is limited to namespaces, and unallocated capacity belongs to no namespace.'
