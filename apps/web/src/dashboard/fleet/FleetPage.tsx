import { usePageTitle } from '../../ui/use-page-title.ts'
import { ScreenHead } from '../ScreenHead.tsx'

/** Every GPU, node by node. */
export function FleetPage() {
  usePageTitle('Fleet · Septet')
  return <ScreenHead title="Fleet" lead="Every GPU, node by node." />
}
