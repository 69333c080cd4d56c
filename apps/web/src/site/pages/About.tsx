import { ABOUT } from '../content/about.ts'
import { ProsePage } from './ProsePage.tsx'

export function About() {
  return <ProsePage prose={ABOUT} />
}
