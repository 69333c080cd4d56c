import { findModelByMachineType } from '../gpu/machine-type.ts'
import type { FocusLine } from './focus-line.ts'
import { gpusOfMachine, hasGpus, modelInWords, MODELS_OF_FAMILY, ocpusPerGpu } from './machine-gpus.ts'

/** What a charge is for, as far as GPUs go. */
export type Charged =
  /** Hours of a machine with its GPUs. */
  | { readonly kind: 'machine'; readonly instanceType: string; readonly gpus: number; readonly hours: number }
  /** GPU-hours by themselves, where GPUs are charged apart from the machine around them. The machine may be unknown. */
  | { readonly kind: 'gpu'; readonly instanceType: string; readonly model: string; readonly gpuHours: number }
  /** The cores or the memory of a machine that may have GPUs, which are charged apart. */
  | { readonly kind: 'host'; readonly family: string }
  /** The fee for machines that were reserved and paid in advance, for a time of days: a Capacity Block of AWS. */
  | { readonly kind: 'block'; readonly instanceType: string; readonly gpus: number }
  /** Money for GPUs of which no price can be made. */
  | { readonly kind: 'unread'; readonly what: string; readonly why: string }
  /** Anything else, as it counts on the bill; untyped is a machine of whatever size. */
  | {
      readonly kind: 'other'
      readonly as: 'other-usage' | 'purchase' | 'unused-reservation'
      readonly isUntyped?: true
    }

const OTHER = { kind: 'other', as: 'other-usage' } as const
const PURCHASE = { kind: 'other', as: 'purchase' } as const

/** What a charge for usage or for a purchase is for. */
export function chargedFor(line: FocusLine): Charged {
  const isMachines = isOfMachines(line)
  if (isMachines && isBlock(line)) return blockOf(line)
  if (line.category !== 'Usage') return PURCHASE
  return isMachines ? usageOf(line) : OTHER
}

function usageOf(line: FocusLine): Charged {
  // Google's view of FOCUS calls the monthly fee usage.
  if (/^Commitment v\d/u.test(line.description)) return PURCHASE
  // FOCUS 1.0 has no columns for reservations: AWS's names tell hours that nobody used from those that are charged as machines.
  if (/\bUnused(?:Box|Ded):/u.test(line.usageType)) return { kind: 'other', as: 'unused-reservation' }
  if (/(?:^|-)(?:Reservation|DedicatedRes):/u.test(line.usageType)) return OTHER
  return googleGpu(line) ?? oracleGpu(line) ?? hostOf(line) ?? machineCharge(line)
}

/** Charges for services that run on machines, and fees beside one, name the machine too. */
const isOfMachines = ({ provider, service, description }: FocusLine): boolean =>
  !/\blicensing fee\b|AI Enterprise/iu.test(description) &&
  (!/^(?:AWS|Amazon\b.*)$/iu.test(provider) || service === '' || /Elastic Compute Cloud|EC2/iu.test(service))

const isBlock = ({ usageType, category, description, instanceType }: FocusLine): boolean =>
  /\bCapacityBlockFee:/u.test(usageType) ||
  (category === 'Purchase' && instanceType !== '' && /capacity block/iu.test(description))

function blockOf({ instanceType, gpus = gpusOfMachine(instanceType) }: FocusLine): Charged {
  if (gpus !== undefined) return { kind: 'block', instanceType, gpus }
  return unread(`Capacity Block of ${instanceType || 'unnamed machines'}`, NO_COUNT)
}

const NO_COUNT = 'nothing says how many GPUs it has'

const NOT_BY_HOUR = 'it is not charged by the hour'

const unread = (what: string, why: string): Charged => ({ kind: 'unread', what, why })

/** "Nvidia L4 GPU running in Americas": hours of GPUs, whatever the unit is called. */
function googleGpu({ description, instanceType, time }: FocusLine): Charged | undefined {
  if (!/^(?:[\w-]+ ){0,4}(?:nvidia|rtx) .*\b(?:gpus?|\d+gb)\b/iu.test(description)) return undefined
  return time === undefined ? unread(description, NOT_BY_HOUR) : gpuHours({ description, instanceType }, time.hours)
}

/** "OCI - Compute - GPU - H100", with or without a shape: by the GPU-hour, and the oldest shapes by the hour of their cores. */
function oracleGpu({ description, instanceType, time }: FocusLine): Charged | undefined {
  const hasShape = /^(?:BM|VM)\.GPU/u.test(instanceType)
  if (!hasShape && !/\bCompute - (?:[\w ]+ )?GPU\b/u.test(description)) return undefined
  const what = description || instanceType
  if (time === undefined) return unread(what, NOT_BY_HOUR)
  if (time.of === 'gpu') return gpuHours({ description, instanceType }, time.hours)
  if (time.of === 'machine') return hasShape ? undefined : unread(what, 'nothing says whether its hours are of GPUs')
  const ocpus = ocpusPerGpu(instanceType)
  return ocpus === undefined
    ? unread(what, 'it is charged by the OCPU, and its OCPUs for a GPU are not known')
    : gpuHours({ description, instanceType }, time.hours / ocpus)
}

function gpuHours(
  { description, instanceType }: Pick<FocusLine, 'description' | 'instanceType'>,
  hours: number,
): Charged {
  const model = findModelByMachineType(instanceType)?.name ?? modelInWords(description)
  if (model === undefined && instanceType === '') return unread(description, 'its GPU model is unknown')
  return { kind: 'gpu', instanceType, model: model ?? '', gpuHours: hours }
}

/** "A2 Instance Core running in Americas", "Spot Preemptible N1 Predefined Instance Ram running in Iowa". */
function hostOf({ description, resource }: FocusLine): Charged | undefined {
  const family = /(?:^|\b(?:Preemptible|Reserved) )(\w+)(?: Predefined| Custom)? Instance (?:Core|Ram)\b/u.exec(
    description,
  )?.[1]
  if (family === undefined) return undefined
  const known = family.toLowerCase()
  return resource !== '' || MODELS_OF_FAMILY[known] !== undefined ? { kind: 'host', family: known } : OTHER
}

function machineCharge({ instanceType, gpus = gpusOfMachine(instanceType), time, isMachine }: FocusLine): Charged {
  if (gpus !== undefined && time !== undefined) {
    return { kind: 'machine', instanceType, gpus: Math.max(1, gpus), hours: time.hours }
  }
  if (gpus !== undefined) return unread(instanceType, NOT_BY_HOUR)
  if (hasGpus(instanceType)) return unread(instanceType, NO_COUNT)
  return isMachine && instanceType === '' && time !== undefined ? { ...OTHER, isUntyped: true } : OTHER
}
