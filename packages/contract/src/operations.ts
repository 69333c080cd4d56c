import { ROUTES, type OperationKey } from './routes.ts'
import * as DECLARED from './schemas/index.ts'

/** Every operation, route and schemas together. The compiler asks for the schemas of a route that has none. */
export const OPERATIONS: Pick<typeof DECLARED, OperationKey> = onlyRouted(DECLARED)

function onlyRouted<Declared extends Record<OperationKey, unknown>>(declared: Declared): Pick<Declared, OperationKey> {
  const keys = new Set(Object.keys(ROUTES))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is kept is just what the type names
  return Object.fromEntries(Object.entries(declared).filter(([key]) => keys.has(key))) as Pick<Declared, OperationKey>
}
