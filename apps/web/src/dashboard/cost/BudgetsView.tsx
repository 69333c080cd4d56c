import { textOf } from '@septet/contract/says'
import { money } from '@septet/domain/words'
import { LIMITS } from 'virtual:limits/budgetsPut'

import { type Answer, type Order, tell } from '../../api.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { useCommand } from '../client/use-command.ts'
import { AskedButton } from '../form/AskedButton.tsx'
import { ProblemBox } from '../form/Problem.tsx'
import type { FieldOf } from '../form/SchemaFields.tsx'
import { SchemaForm } from '../form/SchemaForm.tsx'
import { Answered } from '../panel/Answered.tsx'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'

type Budgets = Answer<'budgetsList'>
type Budget = Budgets['budgets'][number]

/** What this month will cost, and where its budgets stand. */
export function BudgetsView() {
  const { cluster, zone } = useUrlState()
  const answer = useAnswer('budgetsList', { cluster, zone })
  const role = useAnswer('sessionMe', {}).data?.role
  const { busy, problem, send } = useCommand('budgetsRemove', {
    after: () => answer.refetch(),
    done: ({ id }) => `Budget ${id} removed.`,
  })
  return (
    <div className="grid gap-4">
      <Panel title="This month">
        <Answered answer={answer}>{(data) => <Outlook data={data} zone={zone} />}</Answered>
      </Panel>
      <Panel title="Budgets">
        <Answered answer={answer}>
          {({ budgets, source, says }) => (
            <>
              {budgets.length === 0 && (
                <PanelEmpty>
                  {source.kind === 'sample' ? 'Sample data has no budgets.' : 'No budgets for this cluster yet.'}
                </PanelEmpty>
              )}
              <ul className="grid gap-5">
                {budgets.map((budget, order) => (
                  <BudgetRow
                    key={budget.id}
                    budget={budget}
                    said={textOf(says, new RegExp(`^budgets\\[${order}\\]`, 'u'))}
                    busy={busy}
                    remove={role === 'admin' ? () => send({ id: budget.id }) : undefined}
                  />
                ))}
              </ul>
              <ProblemBox words={problem} />
            </>
          )}
        </Answered>
      </Panel>
      {answer.data !== undefined && answer.data.source.kind !== 'sample' && (
        <Panel title="Create a budget">
          {role === 'admin' ? (
            <BudgetForm cluster={answer.data.source.id} zone={zone} changed={() => void answer.refetch()} />
          ) : (
            <PanelEmpty>Only admins can create budgets.</PanelEmpty>
          )}
        </Panel>
      )}
    </div>
  )
}

function Outlook({ data: { outlook, says }, zone }: { readonly data: Budgets; readonly zone: string }) {
  if (outlook === null) return <PanelEmpty>Sample data has no forecast. Choose a cluster.</PanelEmpty>
  return (
    <div className="grid gap-3">
      <p className="text-13 text-ink-soft">
        <span className="mr-2 text-20 font-semibold tracking-tight text-ink">{spentWords(outlook)}</span>{' '}
        {outlook.spent === null ? 'what was ' : ''}spent so far this month ({zone}).
      </p>
      <OutlookBar outlook={outlook} />
      <p className="text-13">{textOf(says, /^outlook\.(?:forecast|unknownDays)/u)}</p>
    </div>
  )
}

type RowProps = {
  readonly budget: Budget
  readonly said: string
  readonly busy: boolean
  readonly remove: (() => void) | undefined
}

function BudgetRow({ budget, said, busy, remove }: RowProps) {
  const { id, scope, name, usdPerMonth, share, reached, expectedToReach } = budget
  return (
    <li className="grid gap-2">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="text-13 font-medium">
          <bdi>{scope === 'cluster' ? 'Whole cluster' : name}</bdi>{' '}
          <span className="font-normal text-ink-soft">
            {scope === 'cluster' ? '' : scope} · {id}
          </span>
        </h3>
        {reached.length > 0 && <Badge tone="destructive">{Math.max(...reached)}% reached</Badge>}
        {expectedToReach.length > 0 && (
          <Badge tone="warning">{Math.max(...expectedToReach)}% expected this month</Badge>
        )}
        <span className="ml-auto flex flex-wrap items-baseline justify-end gap-x-3 gap-y-1">
          <span className="font-mono text-13">
            {spentWords(budget)} of {money(usdPerMonth)}
            {share !== null && ` (${Math.round(share * 1000) / 10}%)`}
          </span>
          {remove !== undefined && (
            <AskedButton
              verb="Remove"
              label={`Remove budget ${id}`}
              consequence="Its alerts end. What was spent stays recorded."
              busy={busy}
              send={remove}
            />
          )}
        </span>
      </div>
      <OutlookBar outlook={budget} budget={budget} />
      <p className="text-13 text-ink-soft">{said}</p>
    </li>
  )
}

const spentWords = ({ spent }: Pick<Budget, 'spent'>): string => (spent === null ? 'Unknown' : money(spent))

type BudgetDraft = Omit<Order<'budgetsPut'>, 'usdPerMonth'> & { readonly usdPerMonth?: number }

const fieldsOf = ({ scope, zone }: BudgetDraft): readonly FieldOf<BudgetDraft>[] => [
  {
    at: 'id',
    label: 'Name',
    note: 'Lowercase letters, digits and dashes. Saving an existing name replaces it.',
  },
  {
    at: 'scope',
    label: 'Scope',
    choices: [
      { value: 'cluster', words: 'The whole cluster' },
      { value: 'namespace', words: 'One namespace' },
      { value: 'tenant', words: 'One tenant' },
    ],
  },
  ...(scope === 'cluster'
    ? []
    : [{ at: 'name', label: scope === 'tenant' ? 'Tenant' : 'Namespace', input: { required: true } } as const]),
  { at: 'usdPerMonth', label: 'USD per month' },
  { at: 'thresholds', label: 'Notify at, percent', note: `Months start in ${zone}.`, input: { required: true } },
]

type Props = { readonly cluster: string; readonly zone: string; readonly changed: () => void }

/** Sets what a month of a cluster, namespace or tenant may cost. */
const BudgetForm = ({ cluster, zone, changed }: Props) => (
  <SchemaForm
    key={`${cluster} ${zone}`}
    limits={LIMITS}
    value={{ id: '', cluster, scope: 'cluster', thresholds: [80, 100], zone }}
    fields={fieldsOf}
    submit="Save budget"
    repeats
    send={async ({ usdPerMonth = 0, name, ...budget }: BudgetDraft) => {
      await tell('budgetsPut', { ...budget, usdPerMonth, ...(budget.scope !== 'cluster' && { name }) })
      changed()
      return { done: `BudgetDraft ${budget.id} saved.` }
    }}
  />
)

type OutlookBarOutlook = NonNullable<Answer<'budgetsList'>['outlook']>

type OutlookBarProps = {
  readonly outlook: Pick<OutlookBarOutlook, 'spent' | 'forecast'>
  readonly budget?: { readonly usdPerMonth: number; readonly thresholds: readonly number[] }
}

/** What was spent, solid; what is expected, lighter, with its interval as a whisker; a budget and its thresholds as marks. */
function OutlookBar({ outlook: { spent, forecast }, budget }: OutlookBarProps) {
  const high = forecast.kind === 'known' ? forecast.high : 0
  const end = Math.max(high, spent ?? 0, budget?.usdPerMonth ?? 0, 0.01) * 1.02
  const at = (amount: number): string => `${(amount / end) * 100}%`
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn inline, so that it follows the theme
    <svg role="img" aria-label={wordsOf({ spent, forecast }, budget)} width="100%" height="28" className="block">
      <rect y="6" width="100%" height="16" rx="2" fill="var(--sunken)" />
      {forecast.kind === 'known' && (
        <rect
          y="6"
          width={at(forecast.usd)}
          height="16"
          rx="2"
          fill="var(--busy-soft)"
          stroke="var(--busy)"
          strokeWidth="0.75"
        />
      )}
      {spent !== null && <rect y="6" width={at(spent)} height="16" rx="2" fill="var(--busy)" />}
      {forecast.kind === 'known' && (
        <g stroke="var(--ink)" strokeWidth="1.5">
          <line x1={at(forecast.low)} x2={at(forecast.high)} y1="14" y2="14" />
          <line x1={at(forecast.low)} x2={at(forecast.low)} y1="10" y2="18" />
          <line x1={at(forecast.high)} x2={at(forecast.high)} y1="10" y2="18" />
        </g>
      )}
      {budget?.thresholds.map((percent) => (
        <line
          key={percent}
          x1={at((budget.usdPerMonth * percent) / 100)}
          x2={at((budget.usdPerMonth * percent) / 100)}
          y1="1"
          y2="27"
          stroke={percent >= 100 ? 'var(--fault)' : 'var(--idle)'}
          strokeWidth="2"
          strokeDasharray={percent >= 100 ? undefined : '3 2'}
        />
      ))}
    </svg>
  )
}

function wordsOf({ spent, forecast }: OutlookBarProps['outlook'], budget: OutlookBarProps['budget']): string {
  const expected =
    forecast.kind === 'known'
      ? `, ${money(forecast.usd)} expected, between ${money(forecast.low)} and ${money(forecast.high)}`
      : ''
  return `${spent === null ? 'unknown amount' : money(spent)} spent${expected}${budget === undefined ? '' : `, of a budget of ${money(budget.usdPerMonth)}`}`
}
