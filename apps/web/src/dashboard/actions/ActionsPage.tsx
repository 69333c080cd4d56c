import { usePageTitle } from '../../ui/use-page-title.ts'
import { ScreenHead } from '../ScreenHead.tsx'

/** What to change, and what it would bring. */
export function ActionsPage() {
  usePageTitle('Actions · Septet')
  return <ScreenHead title="Actions" lead="What to change, and what it would bring." />
}
