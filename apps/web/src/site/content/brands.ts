/**
 * Marks for the strip below the hero. These are invented and stand in for real ones; put your own here, and set `sample`
 * to false once every one of them agreed to be shown.
 */
export type Brand = {
  readonly name: string
  /** Drawn on a field of 24 by 24, in the color of the text. */
  readonly glyph: string
  /** How the word is set. */
  readonly face: 'wide' | 'tight' | 'mono' | 'light' | 'heavy'
}

export const LOGO_STRIP = {
  title: 'Trusted by Industry Leaders',
  sample: true,
  sampleLabel: 'Sample logos',
  note: 'Invented placeholders. Septet has no customers to name.',
}

export const BRANDS: readonly Brand[] = [
  { name: 'Brindlewick', glyph: 'M3 21V3h7a5 5 0 0 1 0 9H3m7 0a4.5 4.5 0 0 1 0 9H3', face: 'tight' },
  { name: 'Ombra Nine', glyph: 'M12 3a9 9 0 1 0 0 18M12 3v18M16 5l0 14M20 9v6', face: 'light' },
  { name: 'FERROLACE', glyph: 'M4 4l16 16M20 4L4 20M12 2v20', face: 'wide' },
  { name: 'palewater', glyph: 'M2 8q5-5 10 0t10 0M2 13q5-5 10 0t10 0M2 18q5-5 10 0t10 0', face: 'heavy' },
  { name: 'quorvane', glyph: 'M3 3h18v18H3zM3 12h9v9M12 3v9h9', face: 'mono' },
  { name: 'Tilde & Oak', glyph: 'M3 12q4.5-6 9 0t9 0M12 15v7', face: 'tight' },
  { name: 'MIRROWELL', glyph: 'M3 21V4l9 10 9-10v17', face: 'wide' },
  { name: 'Sixfold Pier', glyph: 'M12 2l8.7 5v10L12 22l-8.7-5V7zM12 2v20M3.3 7l17.4 10M20.7 7L3.3 17', face: 'light' },
]
