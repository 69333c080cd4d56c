import { PRIVACY } from '../content/privacy.ts'
import { ProsePage } from './ProsePage.tsx'

export function Privacy() {
  return <ProsePage prose={PRIVACY} />
}
