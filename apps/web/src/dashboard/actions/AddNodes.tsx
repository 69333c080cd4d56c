import type { FleetChange } from '@septet/domain'

import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { formText } from '../../ui/form-text.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { useAnswer } from '../client/use-answer.ts'
import { Opened } from '../form/Opened.tsx'

/** Nodes of any board of the catalog, with a price that is supposed. */
export const AddNodes = ({ add }: { readonly add: (change: FleetChange) => void }) => (
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
