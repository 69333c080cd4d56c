import { usePageTitle } from '../../ui/use-page-title.ts'
import { ScreenHead } from '../ScreenHead.tsx'

/** Where the money goes. */
export function CostPage() {
  usePageTitle('Cost · Septet')
  return <ScreenHead title="Cost" lead="Where the money goes." />
}
