import type { Answer } from '../../api.ts'

export type ShownPrice = Answer<'pricesList'>['prices'][number]
export type UsedPrices = Answer<'pricesUsed'>

/** "H100 in pool a". */
export const pricePlace = ({ model, pool }: { readonly model: string; readonly pool: string }): string =>
  `${model}${pool === '' ? '' : ` in pool ${pool}`}`

export const CAPACITY_WORDS = {
  'on-demand': 'On demand',
  spot: 'Spot',
  reserved: 'Reserved',
  owned: 'Owned',
} satisfies Record<NonNullable<ShownPrice['capacity']>, string>

/** "p5.48xlarge, us-east-1, spot"; empty where nothing is known. */
export const machineOf = ({
  instanceType,
  region,
  capacity,
}: Pick<ShownPrice, 'instanceType' | 'region' | 'capacity'>): string =>
  [instanceType, region, capacity === null ? '' : CAPACITY_WORDS[capacity].toLowerCase()]
    .filter((part) => part !== null && part !== '')
    .join(', ')

/** "every model, pool a, p5.48xlarge, from 2026-10-01". */
export const scopeWords = (price: ShownPrice): string =>
  [
    price.model ?? (price.instanceType === null ? 'every model' : ''),
    price.pool === null ? '' : `pool ${price.pool}`,
    price.cluster === null ? '' : `cluster ${price.cluster}`,
    machineOf(price),
    price.effectiveFrom === null ? '' : `from ${price.effectiveFrom.slice(0, 10)}`,
  ]
    .filter((part) => part !== '')
    .join(', ')
