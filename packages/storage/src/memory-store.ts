import type { Store } from '@septet/domain'

import { memoryAccess } from './access/memory-access.ts'
import { memoryAlerts } from './alerts/memory-alerts.ts'
import { memoryEvents } from './alerts/memory-events.ts'
import { memoryRecords } from './records/memory-records.ts'
import { memoryUsage } from './usage/memory-usage.ts'

/** A store that forgets: for unit tests and for one-off reports. Behaves as `openPostgresStore` does. */
export function openMemoryStore(): Store {
  return {
    ...memoryRecords(),
    usage: memoryUsage(),
    access: memoryAccess(),
    events: memoryEvents(),
    alerts: memoryAlerts(),
    ping: async () => {},
    describe: async () => ({ version: undefined, bytes: undefined }),
    close: async () => {},
  }
}
