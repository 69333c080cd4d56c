import { z } from 'zod'
import { LabelSelector } from './label-selector.ts'
import { Metadata } from './schemas.ts'

/** What we keep of a PodDisruptionBudget. */
export type BudgetFacts = {
  readonly namespace: string
  readonly name: string
  /** Undefined: it covers no pod. */
  readonly selector: LabelSelector | undefined
  readonly allowed: number
  /** Undefined: it names none, or a share of its pods, which moves with their number. */
  readonly floor: number | undefined
}

/** Reads a PodDisruptionBudget of policy/v1. One whose controller has not looked at it yet allows nothing. */
export function parseBudget(raw: unknown): BudgetFacts {
  const { metadata, spec, status } = BudgetSchema.parse(raw)
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    selector: spec.selector ?? undefined,
    allowed: status?.disruptionsAllowed ?? 0,
    floor: spec.minAvailable,
  }
}

const BudgetSchema = z.object({
  metadata: Metadata,
  spec: z.object({
    selector: LabelSelector.nullish(),
    minAvailable: z.number().int().min(0).optional().catch(undefined),
  }),
  status: z.object({ disruptionsAllowed: z.number().int().min(0).catch(0) }).nullish(),
})
