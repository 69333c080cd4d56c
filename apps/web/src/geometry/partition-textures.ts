/** How the parts of a GPU that no instance holds are drawn: the broken outline or the dots of the slice bar. */
export const GAPS = { uncut: 'border border-dashed border-[var(--free)]', stranded: '' } as const

export const TEXTURES = {
  uncut: undefined,
  stranded: {
    background:
      'radial-gradient(circle, var(--stranded) 1.05px, transparent 1.4px) 0 0 / 5px 5px, var(--stranded-soft)',
  },
} as const
