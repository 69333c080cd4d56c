import { money, short } from '@septet/domain/words'
import { compareText, reasonsOnce } from '@septet/domain'

import { tell, type Answer } from '../../api.ts'
import { formText } from '../../ui/form-text.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../ui/Table.tsx'
import { rangeWords } from '../address/range-choice.ts'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { useCommand } from '../client/use-command.ts'
import { ProblemBox } from '../form/Problem.tsx'
import { SendForm } from '../form/SendForm.tsx'
import { Answered } from '../panel/Answered.tsx'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'

type Comparison = Answer<'openCostCompare'>
type Props = { readonly mayEdit: boolean }

/** What OpenCost says of the same cluster and time, beside our figures, with the reasons where they differ. */
export function OpenCostPanel({ mayEdit }: Props) {
  const { cluster, over, range, zone } = useUrlState()
  const answer = useAnswer('openCostCompare', { cluster, range })
  const changed = (): void => void answer.refetch()
  const source = answer.data?.source
  const id = source?.kind === 'cluster' ? source.id : cluster
  return (
    <Panel
      title="Compare with OpenCost"
      aside={<span className="text-12 text-ink-quiet">{rangeWords(over, zone)}</span>}
    >
      <div className="grid gap-4">
        <Answered answer={answer}>
          {(data) =>
            data.source.kind === 'sample' ? (
              <PanelEmpty>Sample data has no cluster to compare. Choose a cluster.</PanelEmpty>
            ) : data.address === null ? (
              <PanelEmpty>{mayEdit ? UNSET : UNSET_BY_ADMIN}</PanelEmpty>
            ) : (
              <Compared data={data} />
            )
          }
        </Answered>
        {mayEdit && id !== undefined && (
          <Address
            key={`${id} ${answer.data?.address}`}
            id={id}
            address={answer.data?.address ?? null}
            changed={changed}
          />
        )}
      </div>
    </Panel>
  )
}

const UNSET = 'Running OpenCost or Kubecost? Enter its address to compare figures and see why they differ.'
const UNSET_BY_ADMIN = 'Running OpenCost or Kubecost? An admin can enter its address here to compare its figures.'

type AddressProps = { readonly id: string; readonly address: string | null; readonly changed: () => void }

function Address({ id, address, changed }: AddressProps) {
  const { busy, problem, send } = useCommand('openCostPut', {
    after: changed,
    done: () => 'Removed OpenCost.',
  })
  const put = async (data: FormData) => {
    await tell('openCostPut', { id, address: formText(data, 'address').trim() })
    changed()
    return { done: 'Address saved.' }
  }
  return (
    <div className="grid justify-items-start gap-3">
      <SendForm send={put} submit="Save" className="w-full">
        <Field
          verbatim
          required
          type="url"
          name="address"
          label="Address of OpenCost"
          defaultValue={address ?? ''}
          placeholder="http://opencost.opencost:9003"
          note="API on port 9003; add /model for Kubecost. Must be reachable from the Septet server."
        />
      </SendForm>
      {address !== null && (
        <Button disabled={busy} onClick={() => send({ id, address: null })}>
          Remove address
        </Button>
      )}
      <ProblemBox words={problem} />
    </div>
  )
}

function Compared({ data: { nodes, namespaces } }: { readonly data: Comparison }) {
  if (nodes.length === 0 && namespaces.length === 0) {
    return <PanelEmpty>Neither has GPU usage in this window.</PanelEmpty>
  }
  const named = namespaces.map((row) => ({ ...row, name: row.name || 'unallocated' }))
  return (
    <div className="grid gap-5">
      <ul className="grid max-w-3xl gap-1.5 text-13 text-ink-soft">
        {reasonsOnce([...nodes, ...named]).map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <Beside caption="By node, the whole machine" of="Node" rows={nodes} />
      <Beside caption="By namespace" of="Namespace" rows={named} />
    </div>
  )
}

type BesideProps = {
  readonly caption: string
  readonly of: string
  readonly rows: readonly Pick<Comparison['namespaces'][number], 'name' | 'ours' | 'theirs'>[]
}

/** Those that differ by most money first. */
function Beside({ caption, of, rows }: BesideProps) {
  const apart = ({ ours, theirs }: (typeof rows)[number]): number => Math.abs((ours.cost ?? 0) - (theirs.cost ?? 0))
  const shown = rows.toSorted((a, b) => apart(b) - apart(a) || compareText(a.name, b.name)).slice(0, MOST)
  const more = rows.length - shown.length
  return (
    <div className="grid gap-2">
      <h3 className="text-13 font-semibold">{caption}</h3>
      <Table caption={caption} columns={[of, 'GPU-h', 'OpenCost GPU-h', 'Cost', 'OpenCost cost']}>
        {shown.map(({ name, ours, theirs }) => (
          <Row key={name}>
            <Cell className="wrap-anywhere max-sm:font-medium">{name}</Cell>
            {(
              [
                ['GPU-h', ours.gpuHours, short],
                ['OpenCost GPU-h', theirs.gpuHours, short],
                ['Cost', ours.cost, money],
                ['OpenCost cost', theirs.cost, money],
              ] as const
            ).map(([column, amount, words]) => (
              <Cell key={column} name={column} className="font-mono text-12">
                {amount === null ? 'unknown' : words(amount)}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
      {more > 0 && <p className="text-12 text-ink-soft">{more} more, which differ by less. The API has them all.</p>}
    </div>
  )
}

const MOST = 8
