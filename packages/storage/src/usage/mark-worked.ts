import type { Instant } from '@septet/domain'

import type { Query } from '../connection.ts'
import { storableText } from './storable.ts'

/** Keeps up to which reading of an agent usage is stored, and drops the readings that are not needed any more. */
export async function markWorked(query: Query, cluster: string, to: Instant): Promise<void> {
  const values = [storableText(cluster), new Date(to)]
  await query('update cluster_agents set worked = greatest(worked, $2) where cluster = $1', values)
  // What came after it without an inventory of its own holds by the last one.
  await query(
    `delete from agent_readings where cluster = $1 and at <= $2 and at <> coalesce(
       (select max(at) from agent_readings where cluster = $1 and at <= $2 and has_inventory), 'epoch')`,
    values,
  )
}
