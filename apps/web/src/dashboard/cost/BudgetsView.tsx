import { textOf } from '@septet/contract/says'
import { money } from '@septet/domain/words'
import { LIMITS } from 'virtual:limits/budgetsPut'

import { type Answer, tell, type Order } from '../../api.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Answered } from '../panel/Answered.tsx'
import { AskedButton } from '../form/AskedButton.tsx'
import { ProblemBox } from '../form/Problem.tsx'
import { useCommand } from '../client/use-command.ts'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { OutlookBar } from './OutlookBar.tsx'
import type { FieldOf } from '../form/SchemaFields.tsx'
import { SchemaForm } from '../form/SchemaForm.tsx'

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
              question={`Remove budget ${id}?`}
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
