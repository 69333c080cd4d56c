import { namedEntry } from '../content.ts'

/** A little bar, as full as what stands beside it is so. Decoration: the words say the same. */
export const Mark = ({ look }: { readonly look: string }) => (
  <span aria-hidden className={`block h-2.5 w-5.5 shrink-0 rounded-[3px] border ${namedEntry(LOOKS, look)}`} />
)

export const LOOKS = {
  full: 'border-busy bg-busy',
  half: 'border-busy bg-linear-to-r from-busy from-50% to-busy-soft to-50%',
  light: 'border-dashed border-busy bg-busy-soft',
  short: 'border-idle bg-linear-to-r from-idle-soft from-50% to-transparent to-50%',
  empty: 'border-[var(--free)]',
  line: 'h-px! border-0! bg-line-strong',
  unknown: 'border-dashed border-[var(--unknown)]',
}
