import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Link } from 'react-router'
import { LIMITS } from 'virtual:limits/tenantsPut'

import { type Answer, tell } from '../../../api.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { formText } from '../../../ui/form-text.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { type Sent, useSending } from '../../client/use-sending.ts'
import { ProblemBox } from '../../form/Problem.tsx'
import { type FieldOf, SchemaFields } from '../../form/SchemaFields.tsx'
import { SendForm } from '../../form/SendForm.tsx'
import { limitsAt } from '../../form/limits.ts'
import { showWrong } from '../../form/show-wrong.ts'
import { Answered } from '../../panel/Answered.tsx'
import { saveJson } from '../../panel/save-file.ts'

type Rules = Answer<'tenantsGet'>['tenants']
const RULE = limitsAt(LIMITS, 'tenants').items ?? {}

/** Which namespaces and labels belong to which tenant. */
export function TenantsPage() {
  const answer = useAnswer('tenantsGet', {})
  return (
    <Answered answer={answer}>
      {({ tenants }) => (
        <TenantEditor key={JSON.stringify(tenants)} rules={tenants} changed={() => void answer.refetch()} />
      )}
    </Answered>
  )
}

type EditorProps = { readonly rules: Rules; readonly changed: () => void }

function TenantEditor({ rules, changed }: EditorProps) {
  const [drafts, setDrafts] = useState(() => tenantDraftOf(rules))
  const { busy, problem, run } = useSending()
  const typed = rulesOf(drafts)
  const isChanged = JSON.stringify(typed) !== JSON.stringify(rules)
  const save = async (): Promise<Sent> => {
    await tell('tenantsPut', { tenants: typed })
    changed()
    return { done: 'Tenants saved. Cost by tenant is recomputed, including past days.' }
  }
  const nextKey = Math.max(-1, ...drafts.map(({ key }) => key)) + 1
  return (
    <div className="grid gap-4">
      <Panel title="Rules, first match wins">
        <p className="mb-3 max-w-3xl text-13 text-ink-soft">
          A rule with namespaces and labels must match both. Workloads that no rule matches have no tenant.
        </p>
        {drafts.length === 0 && (
          <p className="py-2 text-13 text-ink-soft">No rules yet, so no workload has a tenant.</p>
        )}
        <Form onInvalidCapture={showWrong} send={() => isChanged && void run(save)}>
          <ol className="grid divide-y divide-line" aria-label="Tenant rules">
            {drafts.map((draft, order) => (
              <RuleRow
                key={draft.key}
                draft={draft}
                place={order}
                isLast={order === drafts.length - 1}
                change={(edit) =>
                  setDrafts((before) => before.map((each) => (each.key === draft.key ? edit(each) : each)))
                }
                move={(by) => setDrafts(moved(drafts, order, by))}
                remove={() => setDrafts(drafts.toSpliced(order, 1))}
              />
            ))}
          </ol>
          <div className="mt-3 grid justify-items-start gap-3">
            <ProblemBox words={problem} />
            <div className="flex flex-wrap items-center gap-3">
              <Button onClick={() => setDrafts([...drafts, { key: nextKey, name: '', namespaces: [], labels: {} }])}>
                Add a rule
              </Button>
              <SubmitButton busy={busy} look={isChanged ? 'strong' : 'outline'}>
                Save rules
              </SubmitButton>
              <span className="text-12 text-ink-soft">{isChanged ? 'Not saved yet.' : 'No changes.'}</span>
            </div>
          </div>
        </Form>
      </Panel>
      <TenantPreview rules={typed} />
      <TenantExport rules={rules} />
    </div>
  )
}

type RowProps = {
  readonly draft: DraftRule
  readonly place: number
  readonly isLast: boolean
  readonly change: (edit: (before: DraftRule) => DraftRule) => void
  readonly move: (by: -1 | 1) => void
  readonly remove: () => void
}

const FIELDS: readonly FieldOf<DraftRule>[] = [
  { at: 'name', label: 'Tenant' },
  { at: 'namespaces', label: 'Namespaces', input: { placeholder: 'vision-*, cv' } },
  { at: 'labels', label: 'Labels', input: { placeholder: 'team=vision' } },
]

function RuleRow({ draft, place, isLast, change, move, remove }: RowProps) {
  const name = draft.name === '' ? `rule ${place + 1}` : draft.name
  return (
    <li className="grid gap-3 py-3 sm:grid-cols-[1.25rem_8rem_minmax(0,1.7fr)_minmax(0,1fr)_auto] sm:items-end">
      <span aria-hidden className="pb-2.5 font-mono text-13 text-ink-quiet max-sm:hidden">
        {place + 1}
      </span>
      <SchemaFields limits={RULE} fields={FIELDS} value={draft} change={change} />
      <div className="flex gap-1 sm:pb-1.5">
        <Button look="quiet" disabled={place === 0} aria-label={`Move ${name} up`} onClick={() => move(-1)}>
          Up
        </Button>
        <Button look="quiet" disabled={isLast} aria-label={`Move ${name} down`} onClick={() => move(1)}>
          Down
        </Button>
        <Button look="quiet" aria-label={`Remove ${name}`} onClick={remove}>
          Remove
        </Button>
      </div>
    </li>
  )
}

type Props = { readonly rules: Answer<'tenantsGet'>['tenants'] }

/** What is stored about one tenant, kept as a file. */
function TenantExport({ rules }: Props) {
  const [first] = rules
  if (first === undefined) return null
  return (
    <Panel title="A tenant’s data">
      <p className="mb-3 max-w-3xl text-13 text-ink-soft">
        The saved rule, the budgets, and the GPU-hours and cost of each workload in every cluster. Usage is deleted only
        by{' '}
        <Link to="/settings/retention" className="text-accent-ink underline underline-offset-4">
          Data retention
        </Link>
        : without one tenant’s hours, the totals of all others would be wrong.
      </p>
      <SendForm send={keep} submit="Export as JSON">
        <SelectField
          label="Tenant"
          name="tenant"
          defaultValue={first.name}
          choices={rules.map(({ name }) => ({ value: name, words: name }))}
        />
        <SelectField label="Time" name="range" defaultValue="all" choices={RANGES} />
      </SendForm>
    </Panel>
  )
}

const RANGES = [
  { value: 'all', words: 'Everything stored' },
  { value: 'last-month', words: 'Last month (UTC)' },
  { value: '30d', words: 'Last 30 days' },
] as const

/** As long as a range may be. */
const LONGEST_MS = 799 * 86_400_000

async function keep(data: FormData): Promise<Sent> {
  const tenant = formText(data, 'tenant')
  const chosen = formText(data, 'range')
  const now = Date.now()
  const all = [now - LONGEST_MS, now].map((at) => new Date(at).toISOString()).join('/')
  const found = await tell('tenantsExport', { tenant, range: chosen === 'all' ? all : chosen })
  saveJson(found, `septet-tenant-${tenant}.json`)
  return { done: `Exported what is stored about ${tenant}.` }
}

type Found = {
  readonly workloads: number
  readonly namespaces: readonly { readonly cluster: string; readonly name: string; readonly workloads: number }[]
}

/** Which workloads of now the rules would take, as they are typed. */
function TenantPreview({ rules }: { readonly rules: Rules }) {
  const asked = useDeferredValue(JSON.stringify(rules))
  const answer = useQuery({
    queryKey: ['tenantsPreview', asked],
    queryFn: () => tell('tenantsPreview', { tenants: wholeRules(asked) }),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel
      title="What they match now"
      aside={<span className="text-13 text-ink-soft">as typed above, saved or not</span>}
    >
      <Answered answer={answer}>
        {({ tenants, none }) => (
          <Table caption="Workloads by tenant" columns={['Tenant', 'Workloads', 'Namespaces']}>
            {tenants.map(({ name, ...found }) => (
              <FoundRow key={name} name={name} found={found} />
            ))}
            <FoundRow name={undefined} found={none} />
          </Table>
        )}
      </Answered>
    </Panel>
  )
}

/** Rules that are being typed match nothing yet and would be refused. */
function wholeRules(text: string): Rules {
  const rules: Rules = JSON.parse(text)
  return rules.filter(
    ({ name, namespaces, labels }) => name !== '' && (namespaces.length > 0 || Object.keys(labels).length > 0),
  )
}

const FoundRow = ({ name, found }: { readonly name: string | undefined; readonly found: Found }) => (
  <Row>
    <Cell className="min-w-32 max-sm:font-medium">
      {name === undefined ? <span className="text-ink-soft">no tenant</span> : <bdi>{name}</bdi>}{' '}
      {name !== undefined && found.workloads === 0 && <Badge tone="warning">takes nothing</Badge>}
    </Cell>
    <Cell name="Workloads" className="font-mono">
      {found.workloads}
    </Cell>
    <Cell name="Namespaces" className="text-ink-soft">
      <span className="wrap-anywhere">{namespaceWords(found)}</span>
    </Cell>
  </Row>
)

function namespaceWords({ namespaces }: Found): string {
  const clusters = new Set(namespaces.map(({ cluster }) => cluster))
  const words = namespaces.slice(0, SHOWN).map(({ cluster, name, workloads }) => {
    const where = clusters.size > 1 ? ` in ${cluster}` : ''
    return `${name} (${workloads}${where})`
  })
  const more = namespaces.length - words.length
  return `${words.join(', ') || 'none'}${more > 0 ? `, and ${more} more` : ''}`
}

const SHOWN = 12

type Rule = Answer<'tenantsGet'>['tenants'][number]

/** A rule as it is typed, with a key that stays while rules move. */
type DraftRule = Rule & { readonly key: number }

/** The rules, to be changed. */
export const tenantDraftOf = (rules: readonly Rule[]): readonly DraftRule[] =>
  rules.map((rule, key) => ({ ...rule, key }))

/** What was typed, as rules. */
export const rulesOf = (drafts: readonly DraftRule[]): Rule[] => drafts.map(({ key: _key, ...rule }) => rule)

/** The drafts with one moved by a step up (-1) or down (1). */
export function moved(drafts: readonly DraftRule[], from: number, by: -1 | 1): readonly DraftRule[] {
  const rule = drafts[from]
  const to = from + by
  if (rule === undefined || to < 0 || to >= drafts.length) return drafts
  return drafts.toSpliced(from, 1).toSpliced(to, 0, rule)
}
