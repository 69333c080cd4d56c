import { findModelByMachineType } from '../gpu/machine-type.ts'
import { compareText } from '../units.ts'
import { type BillAmounts, type BilledMachines, NOTHING, total, type UnreadGpus } from './bill-amounts.ts'
import type { Nanos } from './exact-money.ts'
import { MODELS_OF_FAMILY } from './machine-gpus.ts'

/** GPU-hours that were charged alike, and whose they are. */
export type Group = BilledMachines & {
  readonly first: number
  /** GPU-hours by the reservation that they ran in, and by machine. */
  readonly reservations: Map<string, { readonly gpuHours: number; readonly effective: Nanos }>
  readonly resources: Map<string, number>
}

/** Cores and memory of one machine in a month, or of many where the bill names none. */
export type Host = Pick<BilledMachines, 'provider' | 'region' | 'capacity' | 'month' | 'amounts'> & {
  readonly resource: string
  readonly family: string
  /** Effective cost in the time that machines are compared for. */
  readonly within: Nanos
  readonly first: number
}

/** What was paid in advance for machines of a reservation; `id` may be empty. */
export type Block = Pick<BilledMachines, 'instanceType' | 'gpus' | 'region' | 'amounts'> & {
  readonly id: string
  readonly first: number
}

export type JoinedCharges = {
  readonly machines: readonly BilledMachines[]
  readonly unread: readonly UnreadGpus[]
  readonly otherUsage: BillAmounts
  readonly purchases: BillAmounts
  /** What is added to the cost of single machines. */
  readonly ofResources: readonly (readonly [resource: string, effective: Nanos])[]
}

type Share = { readonly group: Group; readonly weight: number }

/**
 * Joins what is charged apart into the price of the GPUs that it is for: cores and memory by the machine, else by its family
 * in the same region; a fee in advance by its reservation, else by type and region. Every amount ends in one place.
 */
export function joinCharges(groups: readonly Group[], hosts: readonly Host[], blocks: readonly Block[]): JoinedCharges {
  const sums = new Map(groups.map((group) => [group, { amounts: group.amounts, prepaid: 0n }]))
  const give = (shares: readonly Share[], amounts: BillAmounts, prepaid: Nanos): void => {
    const parts = splitAmounts([amounts.billed, amounts.effective, amounts.list, prepaid], shares)
    for (const [index, { group }] of shares.entries()) {
      const [billed = 0n, effective = 0n, list = 0n, before = 0n] = parts[index] ?? []
      const known = sums.get(group) ?? { amounts: NOTHING, prepaid: 0n }
      const more = { lines: index === 0 ? amounts.lines : 0, billed, effective, list }
      sums.set(group, { amounts: total([known.amounts, more]), prepaid: known.prepaid + before })
    }
  }
  const ofHosts = joinHosts(groups, hosts, give)
  const ofBlocks = joinBlocks(groups, blocks, give)
  const summed = groups.map((group) => ({ first: group.first, machines: machinesOf(group, sums.get(group)) }))
  const priced = summed.filter(({ machines }) => hasPrice(machines))
  const others = summed.filter(({ machines }) => !hasPrice(machines))
  return {
    machines: priced.map(({ machines }) => machines).toSorted((a, b) => compareText(nameOf(a), nameOf(b))),
    unread: [
      ...ofHosts.unread,
      ...ofBlocks.unread,
      ...others.map(({ machines, first }) => withoutPrice(machines, first)),
    ],
    otherUsage: ofHosts.otherUsage,
    purchases: ofBlocks.purchases,
    ofResources: ofHosts.ofResources,
  }
}

type Give = (shares: readonly Share[], amounts: BillAmounts, prepaid: Nanos) => void

function joinHosts(groups: readonly Group[], hosts: readonly Host[], give: Give) {
  const byResource = groupsByResource(groups)
  const [unread, ofResources]: [UnreadGpus[], [string, Nanos][]] = [[], []]
  let otherUsage = NOTHING
  for (const host of hosts) {
    const own = ownGroup(byResource.get(host.resource) ?? [], host)
    const shares = own ?? sharesOfFamily(groups, host)
    if (shares.length > 0) give(shares, host.amounts, 0n)
    else if (MODELS_OF_FAMILY[host.family] === undefined) otherUsage = total([otherUsage, host.amounts])
    else unread.push(hostWithoutGpus(host))
    if (own !== undefined) ofResources.push([host.resource, host.within])
  }
  return { unread, ofResources, otherUsage }
}

function joinBlocks(groups: readonly Group[], blocks: readonly Block[], give: Give) {
  const unread: UnreadGpus[] = []
  let purchases = NOTHING
  for (const block of blocks) {
    const { amounts } = block
    const shares = sharesOfBlock(groups, block)
    const isNothing = amounts.billed === 0n && amounts.effective === 0n
    if (isNothing || isSpread(groups, block)) purchases = total([purchases, amounts])
    else if (shares.length === 0) unread.push(blockWithoutHours(block))
    else give(shares, amounts, amounts.effective === 0n ? amounts.billed : 0n)
  }
  return { unread, purchases }
}

const gpuHoursOf = ({ hours, gpus }: BilledMachines): number => hours * gpus

const hasPrice = ({ amounts, prepaid, ...of }: BilledMachines): boolean =>
  of.hours * of.gpus > 0 && amounts.effective + prepaid > 0n

const machinesOf = (
  { first: _first, reservations: _reservations, resources: _resources, ...machines }: Group,
  sum: Pick<BilledMachines, 'amounts' | 'prepaid'> | undefined,
): BilledMachines => ({ ...machines, ...sum })

const nameOf = ({ month, provider, instanceType, model, region, capacity }: BilledMachines): string =>
  JSON.stringify([month, provider, instanceType, model, region, capacity])

function groupsByResource(groups: readonly Group[]): ReadonlyMap<string, readonly Group[]> {
  const found = new Map<string, Group[]>()
  for (const group of groups) {
    for (const resource of group.resources.keys()) found.set(resource, [...(found.get(resource) ?? []), group])
  }
  return found
}

/** The GPUs of the same machine in that month, and paid for alike if there are such. */
function ownGroup(groups: readonly Group[], { resource, month, capacity }: Host): readonly Share[] | undefined {
  const ofMonth = groups.filter((group) => group.month === month)
  const alike = ofMonth.filter((group) => group.capacity === capacity)
  const shares = (alike.length > 0 ? alike : ofMonth)
    .map((group) => ({ group, weight: group.resources.get(resource) ?? 0 }))
    .filter(({ weight }) => weight > 0)
  return shares.length === 0 ? undefined : shares
}

/** All GPUs that such machines have, in that month and region. */
function sharesOfFamily(
  groups: readonly Group[],
  { family, provider, month, region, capacity }: Host,
): readonly Share[] {
  const models = MODELS_OF_FAMILY[family] ?? []
  const nearby = groups.filter(
    (group) =>
      group.provider === provider &&
      group.month === month &&
      group.region === region &&
      gpuHoursOf(group) > 0 &&
      models.includes(group.model ?? findModelByMachineType(group.instanceType)?.name ?? ''),
  )
  const alike = nearby.filter((group) => group.capacity === capacity)
  return (alike.length > 0 ? alike : nearby).map((group) => ({ group, weight: gpuHoursOf(group) }))
}

/** Hours that ran in the reservation; where usage names no reservation, hours of that machine that were paid in advance. */
function sharesOfBlock(groups: readonly Group[], { id, instanceType, region }: Block): readonly Share[] {
  const own = groups.flatMap((group) => {
    const weight = id === '' ? 0 : (group.reservations.get(id)?.gpuHours ?? 0)
    return weight > 0 ? [{ group, weight }] : []
  })
  if (own.length > 0) return own
  return groups
    .filter(
      (group) =>
        group.capacity === 'reserved' &&
        group.instanceType.toLowerCase() === instanceType.toLowerCase() &&
        (group.region === region || region === ''),
    )
    .map((group) => {
      const named = [...group.reservations.values()].reduce((sum, { gpuHours }) => sum + gpuHours, 0)
      return { group, weight: gpuHoursOf(group) - (id === '' ? 0 : named) }
    })
    .filter(({ weight }) => weight > 1e-6)
}

/** Whether the hours of the reservation carry its cost already. Next to a fee, other costs of such an hour are small. */
function isSpread(groups: readonly Group[], { id, amounts }: Block): boolean {
  if (id === '' || amounts.effective !== 0n) return false
  const carried = groups.reduce((sum, { reservations }) => sum + (reservations.get(id)?.effective ?? 0n), 0n)
  return carried * 2n >= amounts.billed
}

/** Amounts in proportion, exactly: parts add up to each whole. */
function splitAmounts(wholes: readonly Nanos[], shares: readonly Share[]): readonly (readonly Nanos[])[] {
  const weights = shares.map(({ weight }) => BigInt(Math.max(1, Math.round(weight * 3600))))
  const all = weights.reduce((sum, weight) => sum + weight, 0n)
  let before = 0n
  return weights.map((weight) => {
    const [from, to] = [before, before + weight]
    before = to
    return wholes.map((whole) => (whole * to) / all - (whole * from) / all)
  })
}

const hostWithoutGpus = ({ family, region, first, amounts }: Host): UnreadGpus => ({
  what: `cores and memory of ${family.toUpperCase()} machines in ${region || 'no region'}`,
  why: 'no GPUs of such machines are charged there',
  first,
  amounts,
})

const blockWithoutHours = ({ id, instanceType, first, amounts }: Block): UnreadGpus => ({
  what: `Capacity Block ${id || `of ${instanceType}`}`,
  why: `no hours of ${instanceType} ran in it on this bill; import all months of the block together`,
  first,
  amounts,
})

const withoutPrice = (machines: BilledMachines, first: number): UnreadGpus => ({
  what: `${machines.instanceType || (machines.model ?? 'machines with GPUs')}, ${machines.region || 'no region'}, ${machines.capacity}`,
  why: gpuHoursOf(machines) > 0 ? 'its effective cost is not above 0' : 'it has no hours',
  first,
  amounts: machines.amounts,
})
