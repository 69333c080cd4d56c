import { compareText } from '../../units.ts'
import type { Action } from '../words/action.ts'
import { migConfigEntries, type MigPartedDocument } from '../words/mig-config.ts'

type Repartition = Extract<Action, { readonly kind: 'repartition' }>

/** The mig-parted file with the configurations of these repartitions. */
export const migPartedOf = (repartitions: readonly Repartition[]): MigPartedDocument => ({
  version: 'v1',
  'mig-configs': Object.fromEntries(
    repartitions
      .map(({ config, gpus }) => [config, migConfigEntries(gpus)] as const)
      .toSorted(([a], [b]) => compareText(a, b)),
  ),
})
