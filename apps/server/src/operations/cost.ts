import type { InputOf, OutputOf, costBreakdown, findingsList } from '@septet/contract'
import { type ClusterAnalysis, type CostParts, type CostRow } from '@septet/domain'

import type { ClusterFacts } from '../facts.ts'
import { answeredFrom, needAnalysis } from './source.ts'

type Cost = OutputOf<typeof costBreakdown>

const CUTS = {
  namespace: (analysis: ClusterAnalysis) => analysis.cost.byNamespace,
  model: (analysis: ClusterAnalysis) => analysis.cost.byModel,
  pool: (analysis: ClusterAnalysis) => analysis.cost.byPool,
  node: (analysis: ClusterAnalysis) => analysis.cost.byNode,
} satisfies Record<Cost['by'], (analysis: ClusterAnalysis) => readonly CostRow[]>

/** Where the money went, cut one way; the groups add up to the total, to the cent. */
export async function liveCost(facts: ClusterFacts, input: InputOf<typeof costBreakdown>): Promise<Cost> {
  const { analysis } = await needAnalysis(facts, input.range)
  const { fleet } = analysis.cost
  return {
    ...answeredFrom(facts, analysis.window),
    by: input.by,
    groups: CUTS[input.by](analysis).map(({ key, cost }) => ({ key, ...partsView(cost, analysis) })),
    total: partsView(fleet, analysis),
    unpricedGpuHours: fleet.unpriced,
  }
}

const partsView = ({ hours, money }: CostParts, { scope }: ClusterAnalysis): NonNullable<Cost['total']> => ({
  gpuHours: costPartsView(hours, scope),
  usd: money === undefined ? null : costPartsView(money, scope),
})

/** What nobody held is not known of namespaces, so it is not 0 either. */
export const costPartsView = (
  parts: CostParts['hours'] | NonNullable<CostParts['money']>,
  scope: ClusterAnalysis['scope'],
): NonNullable<Cost['total']>['gpuHours'] =>
  scope === 'namespaces' ? { ...parts, unallocated: null, stranded: null } : { ...parts }

/** Findings of the last day, costliest first. */
export async function liveFindings(facts: ClusterFacts): Promise<OutputOf<typeof findingsList>> {
  const { analysis } = await needAnalysis(facts, '24h')
  return {
    ...answeredFrom(facts, analysis.window),
    findings: analysis.findings.map(({ id, kind, object, message, gpuHours, costPerMonth, evidence }) => ({
      id,
      kind,
      object,
      message,
      gpuHours: gpuHours ?? null,
      usdPerMonth: costPerMonth ?? null,
      evidence: { ...evidence },
    })),
  }
}
