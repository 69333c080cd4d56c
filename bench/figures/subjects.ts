/** Receipts that a reader looks up together. */
export type Subject = {
  readonly title: string
  readonly receipts: readonly string[]
}

export const SUBJECTS: readonly Subject[] = [
  { title: 'Starting', receipts: ['start'] },
  { title: 'The server at 10,000 GPUs', receipts: ['large-fleet', 'storage'] },
  { title: 'The dashboard at 10,000 GPUs', receipts: ['dashboard-speed'] },
  { title: 'The website', receipts: ['site-speed'] },
  {
    title: 'The planner',
    receipts: [
      'online-placement',
      'place-one-pod',
      'mig-packing',
      'fleet-layout',
      'fleet-reconfiguration',
      'job-completion',
      'right-sizing',
      'overrun-calibration',
    ],
  },
  { title: 'Agents', receipts: ['mcp-conformance'] },
  { title: 'The code', receipts: ['house', 'test-long'] },
]

/**
 * Which figures of a receipt are shown, where that is not all that have an aim: variants that are only compared with are
 * left to the receipt, and a receipt without aims shows what it was made for.
 */
export const SHOWN: Readonly<Record<string, RegExp>> = {
  start: /./u,
  'dashboard-speed': /: opened|^first view: (?:four|nothing)|^script that|^interaction|slowest$|^the map/u,
  'online-placement': /130 %: septet$/u,
  'mig-packing': /./u,
  'right-sizing': /^Septet, 50 %/u,
  'overrun-calibration': /Brier|^rest of the day, all splits|two hours ahead/u,
  'job-completion': /completion time below/u,
  'mcp-conformance': /: scenarios passed$/u,
  house: /./u,
}
