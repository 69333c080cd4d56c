import type { Store } from '@septet/domain'

import { accessStoreBehaves } from './access-store.contract.ts'
import { actionStoreBehaves } from './action-store.contract.ts'
import { admissionStoreBehaves } from './admission-store.contract.ts'
import { agentStoreBehaves } from './agent-store.contract.ts'
import { alertStoreBehaves } from './alert-store.contract.ts'
import { noteStoreBehaves } from './note-store.contract.ts'
import { storeBehaves } from './store.contract.ts'
import { waitStoreBehaves } from './wait-store.contract.ts'

/** All that a store does, whatever PostgreSQL is behind it and whichever version made its tables. */
export function everyStoreBehaves(open: () => Promise<Store>): void {
  const openTwo = async () => [await open(), await open()] as const
  storeBehaves(open)
  accessStoreBehaves(openTwo)
  alertStoreBehaves(open)
  waitStoreBehaves(open)
  admissionStoreBehaves(open)
  agentStoreBehaves(open)
  noteStoreBehaves(open)
  actionStoreBehaves(openTwo)
}
