import type { FleetChange, Scenario, ScenarioGroup } from '@septet/domain'

import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../ui/Table.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { formText } from '../../ui/form-text.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { useAnswer } from '../client/use-answer.ts'
import { Opened } from '../form/Opened.tsx'

type Props = {
  readonly groups: readonly Group[]
  readonly scenario: Scenario
  readonly change: (next: Partial<Scenario>) => void
}

/** The fleet, group by group: more or fewer nodes, another price, and groups that are not there yet. */
export function FleetBuilder({ groups, scenario, change }: Props) {
  const { changes } = scenario
  const set = (next: readonly FleetChange[]): void => change({ changes: next })
  const added = changes.filter(
    (one) =>
      one.kind === 'add' &&
      !groups.some(
        (group) => group.model === one.model && group.pool === one.pool && group.gpusPerNode === one.gpusPerNode,
      ),
  )
  return (
    <Panel
      title="The fleet"
      aside={changes.length > 0 && <Button onClick={() => set([])}>Reset to today’s fleet</Button>}
    >
      {groups.length === 0 && added.length === 0 && (
        <p className="pb-2 text-13 text-ink-soft">
          No node in this cluster has a GPU. Add nodes below to see what they would do for this work.
        </p>
      )}
      <Table
        caption="Groups of equal nodes"
        columns={['GPU model and pool', 'GPUs per node', 'Nodes', 'USD per GPU-hour']}
      >
        {groups.map((group) => (
          <GroupRow
            key={`${group.model} ${group.pool} ${group.gpusPerNode}`}
            group={group}
            changes={changes}
            set={set}
          />
        ))}
        {added.map((one, index) => (
          // Two additions may be equal, and each can be taken back.
          // oxlint-disable-next-line react/no-array-index-key -- the list is replaced as a whole
          <Row key={`added ${index}`}>
            <Cell className="min-w-40">
              <span className="font-medium wrap-anywhere">{one.model}</span>
              <span className="block text-12 text-ink-soft wrap-anywhere">
                {one.pool === '' ? 'no pool' : one.pool}, added
              </span>
            </Cell>
            <Cell name="GPUs per node" className="font-mono">
              {one.kind === 'add' ? one.gpusPerNode : ''}
            </Cell>
            <Cell name="Nodes" className="font-mono">
              {one.kind === 'add' ? `+${one.nodes}` : ''}
            </Cell>
            <Cell name="USD per GPU-hour">
              <span className="mr-2 font-mono">{one.kind === 'add' && one.price !== null ? one.price : 'unknown'}</span>
              <Button onClick={() => set(changes.filter((other) => other !== one))}>Remove</Button>
            </Cell>
          </Row>
        ))}
      </Table>
      <AddNodes add={(one) => set([...changes, one])} />
    </Panel>
  )
}

type GroupProps = {
  readonly group: Group
  readonly changes: readonly FleetChange[]
  readonly set: (changes: readonly FleetChange[]) => void
}

function GroupRow({ group, changes, set }: GroupProps) {
  const { model, pool, gpusPerNode } = group
  const nodes = nodesOf(group, changes)
  const price = priceOf(group, changes)
  const name = `${model}${pool === '' ? '' : `, ${pool}`}`
  return (
    <Row>
      <Cell className="min-w-40">
        <span className="font-medium wrap-anywhere">{model}</span>
        <bdi className="line-clamp-2 text-12 text-ink-soft wrap-anywhere" title={pool}>
          {pool === '' ? 'no pool' : pool}
        </bdi>
      </Cell>
      <Cell name="GPUs per node" className="font-mono">
        {gpusPerNode}
      </Cell>
      <Cell name="Nodes">
        <NumberInput
          label={`Nodes of ${name}`}
          value={nodes}
          step={1}
          onChange={(wanted) => set(withNodes(changes, group, Math.round(wanted)))}
        />
        {nodes !== group.nodes && <span className="ml-2 text-12 text-ink-soft">now {group.nodes}</span>}
      </Cell>
      <Cell name="USD per GPU-hour">
        <NumberInput
          label={`Price of ${name}, USD a GPU-hour`}
          value={price}
          step={0.01}
          onChange={(wanted) => set(withPrice(changes, group, wanted))}
        />
        {price !== group.price && <span className="ml-2 text-12 text-ink-soft">now {group.price ?? 'unknown'}</span>}
      </Cell>
    </Row>
  )
}

type NumberProps = {
  readonly label: string
  readonly value: number | null
  readonly step: number
  readonly onChange: (value: number) => void
}

const NumberInput = ({ label, value, step, onChange }: NumberProps) => (
  <input
    type="number"
    aria-label={label}
    value={value ?? ''}
    placeholder="unknown"
    min={0}
    max={step === 1 ? 20_000 : 10_000}
    step={step}
    onChange={({ target: { valueAsNumber } }) => {
      if (Number.isFinite(valueAsNumber) && valueAsNumber >= 0) onChange(valueAsNumber)
    }}
    className="h-8 w-28 rounded-control border border-(--free) bg-surface px-2 font-mono text-16 sm:w-24 placeholder:font-sans placeholder:text-12 placeholder:text-ink-quiet hover:border-ink-quiet sm:text-13"
  />
)

type Group = Pick<ScenarioGroup, 'model' | 'pool' | 'nodes' | 'gpusPerNode' | 'price'>

/** How many nodes the group has with the changes. */
export function nodesOf(group: Group, changes: readonly FleetChange[]): number {
  const by = changes.filter((one) => isOf(one, group)).reduce((sum, one) => sum + signed(one), 0)
  return Math.max(0, group.nodes + by)
}

/** What a GPU-hour of the group costs with the changes. */
export function priceOf(group: Group, changes: readonly FleetChange[]): number | null {
  const set = changes.flatMap((one) => (one.kind === 'price' && isOf(one, group) ? [one.price] : []))
  return set.at(-1) ?? group.price
}

/** The changes so that the group has so many nodes. */
export function withNodes(changes: readonly FleetChange[], group: Group, nodes: number): readonly FleetChange[] {
  const others = changes.filter((one) => one.kind === 'price' || !isOf(one, group))
  const { model, pool, gpusPerNode } = group
  if (nodes > group.nodes) {
    return [...others, { kind: 'add', model, pool, nodes: nodes - group.nodes, gpusPerNode, price: null }]
  }
  return nodes < group.nodes ? [...others, { kind: 'remove', model, pool, nodes: group.nodes - nodes }] : others
}

/** The changes so that a GPU-hour of the group costs so much. */
export function withPrice(changes: readonly FleetChange[], group: Group, price: number): readonly FleetChange[] {
  const others = changes.filter((one) => one.kind !== 'price' || !isOf(one, group))
  const { model, pool } = group
  return price === group.price ? others : [...others, { kind: 'price', model, pool, price }]
}

const isOf = (change: FleetChange, { model, pool, gpusPerNode }: Group): boolean =>
  change.model === model && change.pool === pool && (change.kind !== 'add' || change.gpusPerNode === gpusPerNode)

const signed = (change: FleetChange): number =>
  change.kind === 'add' ? change.nodes : change.kind === 'remove' ? -change.nodes : 0

/** Nodes of any board of the catalog, with a price that is supposed. */
const AddNodes = ({ add }: { readonly add: (change: FleetChange) => void }) => (
  <Opened verb="Add nodes" className="mt-3">
    {(close) => <NodesForm add={add} close={close} />}
  </Opened>
)

function NodesForm({ add, close }: { readonly add: (change: FleetChange) => void; readonly close: () => void }) {
  const models = useAnswer('modelsList', {}).data?.models ?? []
  const boards = models
    .filter(({ vendor, mig, memoryGb }) => vendor === 'NVIDIA' && (mig === 'yes' || (memoryGb?.min ?? 0) >= 16))
    .map(({ name, mig }) => ({ value: name, words: mig === 'yes' ? `${name}, MIG` : name }))
  const send = (data: FormData): void => {
    const price = formText(data, 'price')
    add({
      kind: 'add',
      model: formText(data, 'model'),
      pool: formText(data, 'pool').trim(),
      nodes: Number(formText(data, 'nodes')),
      gpusPerNode: Number(formText(data, 'gpus')),
      price: price === '' ? null : Number(price),
    })
    close()
  }
  return (
    <Form className="mt-4 grid gap-3 border-t border-line pt-4 sm:grid-cols-2" send={send}>
      <SelectField key={boards.length} label="Board" name="model" defaultValue="H100-80GB-HBM3" choices={boards} />
      <Field label="Pool" name="pool" maxLength={253} autoComplete="off" defaultValue="supposed" />
      <Field label="Nodes" name="nodes" type="number" min={1} max={20_000} required defaultValue={1} />
      <Field label="GPUs per node" name="gpus" type="number" min={1} max={64} required defaultValue={8} />
      <Field
        label="USD per GPU-hour"
        name="price"
        type="number"
        min={0}
        max={10_000}
        step={0.01}
        note="Leave empty if unknown; the fleet then has no cost."
      />
      <div className="flex items-end gap-2">
        <button
          type="submit"
          className="inline-flex min-h-8 items-center rounded-control bg-ink px-3 text-13 font-medium text-paper hover:opacity-85"
        >
          Add
        </button>
        <Button look="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}
