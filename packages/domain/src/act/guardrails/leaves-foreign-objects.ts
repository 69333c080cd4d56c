import { whyNotWritten } from '../owners/owner-of-object.ts'
import { type ActRule, refusing } from './act-context.ts'
import { nameOf } from './words.ts'

/** What git keeps, or another controller makes, is not written: it would be changed back. Its pods may be moved. */
export const leavesForeignObjects: ActRule = ({ written }) => {
  const reasons = written.flatMap(({ object, owner }) => {
    const because = whyNotWritten(owner, nameOf(object))
    return because === undefined ? [] : { code: owner.kind === 'gitops' ? 'gitops-object' : 'foreign-object', because }
  })
  // What another controller changes back helps nobody, whoever applies it.
  const first = reasons.find(({ code }) => code === 'foreign-object') ?? reasons[0]
  return refusing(first?.code ?? '', first?.because)
}
