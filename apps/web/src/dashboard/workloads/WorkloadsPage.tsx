import { usePageTitle } from '../../ui/use-page-title.ts'
import { ScreenHead } from '../ScreenHead.tsx'

/** What runs, what waits, and why. */
export function WorkloadsPage() {
  usePageTitle('Workloads · Septet')
  return <ScreenHead title="Workloads" lead="What runs, what waits, and why." />
}
