import { usePageTitle } from '../../ui/use-page-title.ts'
import { ScreenHead } from '../ScreenHead.tsx'

/** Scenarios side by side. */
export function WhatIfPage() {
  usePageTitle('What if · Septet')
  return <ScreenHead title="What if" lead="Scenarios side by side." />
}
