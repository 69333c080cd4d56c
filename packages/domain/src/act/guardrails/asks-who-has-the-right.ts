import { mayActAs } from '../../access/role.ts'
import { type ActRule, refusing } from './act-context.ts'
import { neededRole } from './needed-role.ts'
import { CLASS_NAMES } from './words.ts'

/** Who approves has, still, the right to. */
export const asksWhoHasTheRight: ActRule = (context) => {
  const { approval, kind } = context
  if (approval === undefined || approval.kind === 'septet') return undefined
  const needed = neededRole(context)
  return refusing(
    'not-allowed-to-approve',
    approval.role !== undefined && mayActAs(approval.role, needed)
      ? undefined
      : `${approval.name} may not approve this. ${CLASS_NAMES[kind]} needs an ${needed}’s approval: ask one.`,
  )
}
