import { Link } from 'react-router'

import { tell, type Answer } from '../../../api.ts'
import { formText } from '../../../ui/form-text.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import type { Sent } from '../../client/use-sending.ts'
import { SendForm } from '../../form/SendForm.tsx'
import { saveJson } from '../../panel/save-file.ts'

type Props = { readonly rules: Answer<'tenantsGet'>['tenants'] }

/** What is stored about one tenant, kept as a file. */
export function TenantExport({ rules }: Props) {
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
