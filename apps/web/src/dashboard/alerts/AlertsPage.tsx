import { usePageTitle } from '../../ui/use-page-title.ts'
import { ScreenHead } from '../ScreenHead.tsx'

/** What needs somebody, and since when. */
export function AlertsPage() {
  usePageTitle('Alerts · Septet')
  return <ScreenHead title="Alerts" lead="What needs somebody, and since when." />
}
