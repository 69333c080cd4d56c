import type { Answer } from '../../api.ts'

export type Price = Answer<'pricesList'>['prices'][number]
export type UsedPrices = Answer<'pricesUsed'>

/** "H100 in pool a". */
export const placeOf = ({ model, pool }: { readonly model: string; readonly pool: string }): string =>
  `${model}${pool === '' ? '' : ` in ${pool}`}`
