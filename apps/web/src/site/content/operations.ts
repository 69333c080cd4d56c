import { ROUTES, type Route } from '@septet/contract/routes'

/** What can be asked about clusters, GPUs and what they cost. The contract has more, for accounts and settings. */
export const SHOWN_OPERATIONS: readonly Route[] = Object.values<Route>(ROUTES).filter(
  ({ reach }) => reach === 'namespaces',
)
