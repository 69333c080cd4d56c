import { whyNotWritten } from '../owners/owner-of-object.ts'
import { type ActRule, refusing } from './act-context.ts'
import { nameOf } from './words.ts'

/** What git keeps, or another controller makes, is not written: it would be changed back. */
export const leavesForeignObjects: ActRule = ({ objects }) => {
  const reasons = objects.flatMap(({ object, owner }) => whyNotWritten(owner, nameOf(object)) ?? [])
  return refusing('foreign-object', reasons[0])
}
