import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

import { tell, type Answer } from '../../../api.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { Answered } from '../../panel/Answered.tsx'

type Rules = Answer<'tenantsGet'>['tenants']
type Found = {
  readonly workloads: number
  readonly namespaces: readonly { readonly cluster: string; readonly name: string; readonly workloads: number }[]
}

/** Which workloads of now the rules would take, as they are typed. */
export function TenantPreview({ rules }: { readonly rules: Rules }) {
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
