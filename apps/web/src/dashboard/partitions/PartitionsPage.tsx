import { usePageTitle } from '../../ui/use-page-title.ts'
import { ScreenHead } from '../ScreenHead.tsx'

/** Every MIG layout, what fits now, and what would fit better. */
export function PartitionsPage() {
  usePageTitle('Partitions · Septet')
  return <ScreenHead title="Partitions" lead="Every MIG layout, what fits now, and what would fit better." />
}
