import { boardFor, type Board } from '@septet/domain'

import type partitioning from '../../../content/partitioning.json'
import { Button } from '../../ui/Button.tsx'
import { layoutOn } from './partition-cut.ts'
import { SlotRow } from '../../geometry/SlotRow.tsx'

/** A way to cut one board, as the specification lists them. */
type PartitioningConfiguration = (typeof partitioning.configurations)[number]

type Props = {
  readonly title: string
  readonly configurations: readonly PartitioningConfiguration[]
  /** The model of the board that they are for. */
  readonly model: string
  readonly onTry: (configuration: PartitioningConfiguration) => void
}

/** The cuts of the specification, each drawn at its real placements and ready to be taken apart. */
export function PartitionConfigurations({ title, configurations, model, onTry }: Props) {
  const board = boardFor(model)
  if (board === undefined) return undefined
  return (
    <div>
      <h3 className="text-16 font-semibold tracking-tight">{title}</h3>
      <ul className="mt-3">
        {configurations.map((configuration) => (
          <Configuration key={configuration.name} {...{ configuration, model, board, onTry }} />
        ))}
      </ul>
    </div>
  )
}

type OneProps = Pick<Props, 'model' | 'onTry'> & {
  readonly configuration: PartitioningConfiguration
  readonly board: Board
}

function Configuration({ configuration, model, board, onTry }: OneProps) {
  const { name, instances, useCase, profiles } = configuration
  return (
    <li className="border-t border-line-strong py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h4 className="font-mono text-16 font-medium">{name}</h4>
        <p className="font-mono text-12 text-ink-quiet">{instances}</p>
      </div>
      <div className="mt-2">
        <SlotRow board={board} layout={layoutOn({ label: name, model }, profiles)} look="strong" />
      </div>
      <div className="mt-2 flex items-center justify-between gap-x-4">
        <p className="text-13 text-pretty text-ink-soft">{useCase}</p>
        <Button className="shrink-0 noscript:hidden" onClick={() => onTry(configuration)}>
          Edit<span className="sr-only"> {name}</span>
        </Button>
      </div>
    </li>
  )
}
