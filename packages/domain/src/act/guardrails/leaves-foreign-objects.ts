import { whyNotWritten } from '../owners/owner-of-object.ts'
import { type ActRule, refusing } from './act-context.ts'
import { nameOf } from './words.ts'

/** What git keeps, or another controller makes, is not written: it would be changed back. Its pods may be moved. */
export const leavesForeignObjects: ActRule = ({ written }) => {
  const reasons = written.flatMap(({ object, owner }) => whyNotWritten(owner, nameOf(object)) ?? [])
  return refusing('foreign-object', reasons[0])
}
