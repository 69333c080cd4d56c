import { RECOMMENDATION_KINDS } from '@septet/domain/action-classes'
import { z } from 'zod'

import { answered, FigureSchema, InstantText, RangeInput, WindowSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { RecommendationView } from './recommendations.ts'

/** What of a cluster can be added up. */
const Amounts = {
  gpus: FigureSchema.describe('GPUs in the latest snapshot'),
  capacity: FigureSchema.describe('what all GPUs cost over the range'),
  used: FigureSchema,
  idleHeld: FigureSchema.describe('held by a pod without being busy'),
  unallocated: FigureSchema.describe('not held by any pod'),
  waiting: FigureSchema.describe('price of the GPUs that work waited for, for as long as it waited'),
  bill: FigureSchema.describe('what open recommendations would take off the bill, estimated'),
  freed: FigureSchema.describe('what they would free for other work while the bill stays the same, estimated'),
  verifiedBill: FigureSchema.describe('what applied actions took off the bill, measured, over all time'),
  verifiedFreed: FigureSchema.describe('what applied actions freed for other work, measured, over all time'),
}

const WHY_LEFT_OUT = 'why the answer does not hold this cluster; null: it does'

export const clustersTotals = operation(ROUTES.clustersTotals, {
  title: 'All clusters',
  description:
    'Cost, waste, waiting work, open recommendations and verified savings over every cluster that you may see: the sum, and each cluster with the age of its data. A figure that one cluster does not know is left out of the sum, and the sum says so. A cluster that is connected twice counts once; sample data never counts, and the demo cluster only while no other is connected.',
  input: z.strictObject(RangeInput),
  output: named('ClusterTotals', {
    ...Amounts,
    clusters: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        asOf: InstantText.nullable().describe('when its newest data was read; null: nothing was read yet'),
        window: WindowSchema.nullable().describe('what of the range it has been analyzed for'),
        age: answered.age,
        leftOut: z.string().nullable().describe(WHY_LEFT_OUT),
        figures: z.object(Amounts).nullable().describe('null where it is left out'),
      }),
    ),
  }),
})

export const recommendationsTotals = operation(ROUTES.recommendationsTotals, {
  title: 'Recommendations of all clusters',
  description:
    'Open recommendations of every cluster that you may see as one list, best first by expected value: dollars a month × confidence, less the risk. GPU-hours count as dollars in a cluster where no GPU has a price. What all of them would save is in the totals of all clusters. A cluster without an answer is named with the reason.',
  input: z.strictObject({
    kind: z.enum(RECOMMENDATION_KINDS).optional().describe('only this kind'),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  output: named('RecommendationTotals', {
    total: z.number().int().describe('how many there are, not counting dismissed ones'),
    recommendations: z.array(
      named('ClusterRecommendation', {
        cluster: z.object({ id: z.string(), name: z.string() }),
        ...RecommendationView.shape,
      }),
    ),
    clusters: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        madeAt: InstantText.nullable().describe('when its recommendations were computed; null: not yet'),
        total: z.number().int().nullable().describe('how many it has; null where it is left out'),
        leftOut: z.string().nullable().describe(WHY_LEFT_OUT),
      }),
    ),
  }),
})
