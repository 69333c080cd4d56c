/** A row of cards that is swiped on a phone; wider screens lay its cards out as they like. */
export const SWIPE_ROW =
  'group/row max-sm:-mx-6 max-sm:flex max-sm:snap-x max-sm:snap-proximity max-sm:has-[:focus-visible]:snap-mandatory max-sm:scroll-px-6 max-sm:gap-4 max-sm:overflow-x-auto max-sm:px-6 max-sm:pb-1'
/**
 * A card of it: the next one shows at the edge, so that there is something to swipe to. The card that the keyboard is on
 * comes into view as a whole.
 */
export const SWIPE_CARD =
  'max-sm:w-[15.5rem] max-sm:shrink-0 max-sm:snap-start max-sm:group-has-[:focus-visible]/row:not-focus-within:snap-align-none'
