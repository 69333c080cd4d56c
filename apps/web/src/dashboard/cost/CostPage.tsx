import { usePageTitle } from '../../ui/use-page-title.ts'
import { ScreenHead } from '../panel/ScreenHead.tsx'
import { Segmented } from '../form/Segmented.tsx'
import { useUrlChoice } from '../address/url-state.ts'
import { BreakdownView } from './BreakdownView.tsx'
import { BudgetsView } from './BudgetsView.tsx'
import { PricesView } from '../prices/PricesView.tsx'
import { TokensView } from './TokensView.tsx'

const VIEWS = [
  { value: 'breakdown', label: 'Breakdown' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'budgets', label: 'Budgets and forecast' },
  { value: 'prices', label: 'Price book' },
] as const

/** Where the money goes, what the month will cost, and at which prices. */
export function CostPage() {
  usePageTitle('Cost · Septet')
  const [chosen, choose] = useUrlChoice('view')
  const view = VIEWS.find(({ value }) => value === chosen)?.value ?? 'breakdown'
  return (
    <>
      <ScreenHead
        title="Cost"
        lead="What GPU-hours cost, who held them, and where they went. Every breakdown adds up to the same total."
        docs="using-the-dashboard#cost"
        aside={<Segmented label="View" options={VIEWS} value={view} onChange={(next) => choose(next)} />}
      />
      {view === 'breakdown' && <BreakdownView />}
      {view === 'tokens' && <TokensView />}
      {view === 'budgets' && <BudgetsView />}
      {view === 'prices' && <PricesView />}
    </>
  )
}
