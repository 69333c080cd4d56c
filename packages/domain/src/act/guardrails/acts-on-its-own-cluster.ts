import { type ActRule, refusing } from './act-context.ts'

/** A plan is carried out on the cluster that it was made for. */
export const actsOnItsOwnCluster: ActRule = ({ snapshot, run }) =>
  refusing(
    'other-cluster',
    snapshot.cluster === run.cluster && run.plan.cluster === run.cluster
      ? undefined
      : 'The plan was made for another cluster. Create a new one for this cluster.',
  )
