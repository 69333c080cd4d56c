import { contactProse } from '../content/contact.ts'
import { ProsePage } from './ProsePage.tsx'

export function Contact() {
  return <ProsePage prose={contactProse()} />
}
