import type { budgetsList, costBreakdown, costDays, OutputOf, pricesUsed } from '@septet/contract'

import { SAMPLE_ANSWERED } from '../answering/sample-source.ts'

type Cost = OutputOf<typeof costBreakdown>

/** Sample data has fixed savings and no usage, so that nothing of it can be cut. */
export const sampleCost = (by: Cost['by']): Cost => ({
  ...SAMPLE_ANSWERED,
  by,
  groups: [],
  total: null,
  unpricedGpuHours: 0,
  within: null,
  labels: [],
  observedSeconds: 0,
  notes: [],
  before: null,
})

export const sampleDays = (zone: string): OutputOf<typeof costDays> => ({
  ...SAMPLE_ANSWERED,
  zone,
  days: [],
  coarse: false,
})

export const sampleBudgets = (): OutputOf<typeof budgetsList> => ({ ...SAMPLE_ANSWERED, outlook: null, budgets: [] })

export const samplePricesUsed = (): OutputOf<typeof pricesUsed> => ({
  ...SAMPLE_ANSWERED,
  observedSeconds: 0,
  uses: [],
})
