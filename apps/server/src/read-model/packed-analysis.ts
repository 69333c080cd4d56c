import type { ClusterAnalysis, FleetCost } from '@septet/domain'

import type { RangeAnalysis } from '../facts.ts'
import { lazily, pack, type Packed } from './pack.ts'

/** An analysis in the read model: the figures as they are, the long lists packed within. */
export type PackedAnalysis = Omit<RangeAnalysis, 'analysis'> & {
  readonly figures: Omit<ClusterAnalysis, keyof Lists | 'cost'>
  readonly fleet: FleetCost['fleet']
  readonly lists: { readonly [Name in keyof Lists]: Packed<Lists[Name]> }
  readonly tables: Packed<Tables>
}
type Lists = Pick<ClusterAnalysis, 'workloads' | 'findings' | 'problems'>
type Tables = Omit<FleetCost, 'fleet'>

export function packAnalysis({ analysis, ...about }: RangeAnalysis): PackedAnalysis {
  const { workloads, findings, problems, cost, ...figures } = analysis
  const { fleet, ...tables } = cost
  return {
    ...about,
    figures,
    fleet,
    lists: {
      workloads: pack(workloads),
      findings: pack(findings),
      problems: pack(problems),
    },
    tables: pack(tables),
  }
}

/** The analysis as it was; a list is unpacked when it is first read. */
export function unpackAnalysis({ figures, fleet, lists, tables, ...about }: PackedAnalysis): RangeAnalysis {
  const workloads = lazily(lists.workloads)
  const findings = lazily(lists.findings)
  const problems = lazily(lists.problems)
  return {
    ...about,
    analysis: {
      ...figures,
      cost: costOf(fleet, lazily(tables)),
      get workloads() {
        return workloads()
      },
      get findings() {
        return findings()
      },
      get problems() {
        return problems()
      },
    },
  }
}

const costOf = (fleet: FleetCost['fleet'], tables: () => Tables): FleetCost => ({
  fleet,
  get byNamespace() {
    return tables().byNamespace
  },
  get byModel() {
    return tables().byModel
  },
  get byPool() {
    return tables().byPool
  },
  get byNode() {
    return tables().byNode
  },
  get cells() {
    return tables().cells
  },
  get prices() {
    return tables().prices
  },
})
