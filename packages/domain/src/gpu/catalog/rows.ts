import { mib, watts } from '../../units.ts'
import type { CatalogField, GpuClass, GpuModel, Range, Vendor } from '../gpu-model.ts'
import { productOf } from '../product-name.ts'

/** One figure, or a range. */
type Figure = number | readonly [min: number, max: number]

type Row = {
  /** GB. */
  readonly memory?: Figure
  /** MiB, where a driver or a cloud reported it. */
  readonly mib?: number
  readonly unified?: true
  /** W. */
  readonly tdp?: Figure
  readonly tdpOf?: 'module'
  readonly note?: string
  readonly unverified?: readonly CatalogField[]
}

export type NvidiaRow = Row & {
  readonly nvmlName: string
  /** Where the name cannot be made from NVML's. */
  readonly name?: string
  /** Memory is for one GPU; the power limit for the board. */
  readonly gpusPerBoard?: number
  readonly mig?: GpuModel['mig']
  /** Separated by spaces. */
  readonly pci?: string
}

export type OtherRow = Row & {
  readonly name: string
  readonly partitioning?: string
  readonly labels?: readonly string[]
  /** Those of virtual functions too; separated by spaces. */
  readonly pci?: string
}

type Group = { readonly class: GpuClass; readonly architecture: string }

/** NVIDIA models of one class and architecture. Without `mig` a row cannot do MIG. */
export const nvidia = (group: Group, rows: readonly NvidiaRow[]): readonly GpuModel[] =>
  rows.map((row) => {
    const gfdProduct = productOf(row.nvmlName)
    return {
      ...group,
      ...figuresOf(row),
      name: row.name ?? gfdProduct.replace(/^(?:NVIDIA-)?(?:Tesla-)?/, ''),
      vendor: 'NVIDIA',
      tdpOf: row.tdpOf ?? (row.gpusPerBoard === undefined ? 'gpu' : 'board'),
      gpusPerBoard: row.gpusPerBoard ?? 1,
      mig: row.mig ?? 'no',
      partitioning: undefined,
      nvmlName: row.nvmlName,
      gfdProduct,
      labels: [],
      pciIds: row.pci?.split(' ') ?? [],
      // The label is computed from the name, so it is as good as the name.
      unverified: (row.unverified ?? []).flatMap((field): CatalogField[] =>
        field === 'nvmlName' ? [field, 'gfdProduct'] : [field],
      ),
    }
  })

/** Models of other vendors, of one class and architecture. */
export const other = (group: Group & { readonly vendor: Vendor }, rows: readonly OtherRow[]): readonly GpuModel[] =>
  rows.map((row) => ({
    ...group,
    ...figuresOf(row),
    name: row.name,
    tdpOf: 'gpu',
    gpusPerBoard: 1,
    mig: 'no',
    partitioning: row.partitioning,
    nvmlName: undefined,
    gfdProduct: undefined,
    labels: row.labels ?? [],
    pciIds: row.pci?.split(' ') ?? [],
    unverified: row.unverified ?? [],
  }))

const figuresOf = (row: Row): Pick<GpuModel, 'memory' | 'reportedMemory' | 'unifiedMemory' | 'tdp' | 'note'> => ({
  memory: toRange(row.memory, Number),
  reportedMemory: row.mib === undefined ? undefined : mib(row.mib),
  unifiedMemory: row.unified === true,
  tdp: toRange(row.tdp, watts),
  note: row.note,
})

function toRange<T extends number>(figure: Figure | undefined, unit: (value: number) => T): Range<T> | undefined {
  if (figure === undefined) return undefined
  const [min, max] = typeof figure === 'number' ? [figure, figure] : figure
  return { min: unit(min), max: unit(max) }
}
