import { TERMS } from '../content/terms.ts'
import { ProsePage } from './ProsePage.tsx'

export function Terms() {
  return <ProsePage prose={TERMS} />
}
