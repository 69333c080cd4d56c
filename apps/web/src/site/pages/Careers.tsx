import { CAREERS } from '../content/careers.ts'
import { ProsePage } from './ProsePage.tsx'

export function Careers() {
  return <ProsePage prose={CAREERS} />
}
