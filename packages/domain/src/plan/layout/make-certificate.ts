import { profileOf } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { CERTIFICATE_UNIT, type BoundCertificate, type InstancePrice } from './bound-certificate.ts'
import { replaces } from './class-patterns.ts'
import type { ClassModel, LayoutModel } from './layout-model.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'

/** The prices of a linear answer, by cell, and what one GPU's worth unplaced counts. */
export type ModelPrices = { readonly cells: readonly number[]; readonly unplaced: number | undefined }

/**
 * A certificate from a solver's prices, which may be a little wrong: rounded to units, lowered where a class with GPUs to
 * spare would have to pay rent, and extended to the larger profiles that the model left out.
 */
export function makeCertificate(
  model: LayoutModel,
  of: BoundCertificate['of'],
  { prices, allowed }: { readonly prices: ModelPrices; readonly allowed: number | undefined },
): BoundCertificate {
  return {
    of,
    prices: model.classes.flatMap((each) => classPrices(model, each, { of, cells: prices.cells })),
    shortfall:
      allowed === undefined || prices.unplaced === undefined
        ? undefined
        : {
            allowed: Math.ceil(allowed * CERTIFICATE_UNIT),
            price: Math.max(0, Math.floor(prices.unplaced * CERTIFICATE_UNIT)),
          },
  }
}

type Source = { readonly of: BoundCertificate['of']; readonly cells: readonly number[] }

function classPrices(model: LayoutModel, each: ClassModel, { of, cells }: Source): readonly InstancePrice[] {
  const cost = of === 'unplaced' ? 0 : of === 'gpus' ? 1 : each.weight
  const raw = each.cells.map((cell) => Math.max(0, cells[cell] ?? 0))
  const most = Math.max(0, ...each.patterns.map(({ counts }) => worth(counts, raw)))
  const hasRent = most > cost * (1 + 1e-7) + 1e-12
  const units = raw.map((price) => (hasRent ? Math.round : floorNearly)(price * CERTIFICATE_UNIT))
  const limit = Math.floor(cost * CERTIFICATE_UNIT)
  const reached = Math.max(0, ...each.patterns.map(({ counts }) => worth(counts, units)))
  // Without rent, rounding must not make one: over thousands of GPUs it would add up.
  const factor = hasRent || reached <= limit ? 1 : limit / reached
  const fitted = factor === 1 ? units : units.map((unit) => Math.floor(unit * factor))
  return extended(
    each,
    new Map(each.cells.map((cell, rank) => [model.cells[cell]?.profile ?? WHOLE_GPU, fitted[rank] ?? 0])),
  )
}

const floorNearly = (units: number): number => Math.floor(units + 1e-3)

const worth = (counts: readonly number[], prices: readonly number[]): number =>
  counts.reduce((sum, count, rank) => sum + count * (prices[rank] ?? 0), 0)

/** A larger instance is worth what it could be cut into, at least; the check asks for the price of every accepted fit. */
function extended({ supplyClass }: ClassModel, known: ReadonlyMap<ProfileName, number>): readonly InstancePrice[] {
  const { id, board } = supplyClass
  const rows = board?.profiles ?? []
  const prices = rows.map((row): InstancePrice => {
    const inside = [...known].filter(([name]) => {
      const small = board === undefined ? undefined : profileOf(board, name)
      return board !== undefined && small !== undefined && (small === row || replaces(board, small, row))
    })
    return { supplyClass: id, profile: row.name, units: Math.max(0, ...inside.map(([, units]) => units)) }
  })
  const whole = Math.max(0, known.get(WHOLE_GPU) ?? 0, ...prices.map(({ units }) => units))
  return [...prices, { supplyClass: id, profile: WHOLE_GPU, units: whole }].filter(({ units }) => units > 0)
}
