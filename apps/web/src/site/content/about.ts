import type { Prose } from './prose.ts'

export const ABOUT: Prose = {
  title: 'About Septet',
  lead: 'A GPU splits into up to seven compute slices, and a septet is a group of seven. Septet makes the slices of your GPUs work together.',
  parts: [
    {
      title: 'Why',
      paragraphs: [
        'Pods request whole GPUs because picking the right fraction is hard, and whatever they don’t use stays locked up. Monitoring tools show the waste but don’t plan. Partitioning tools need to be told what to do.',
        'Septet measures what is used, plans how to slice and share each GPU, and tells you how close the plan is to optimal.',
      ],
    },
    {
      title: 'How it works',
      paragraphs: [
        'Data flows one way: collect, store, analyze, plan, show. Planning is pure functions, with no clock, randomness, or network, so the same input gives the same plan in a test, on the server, and in your browser.',
      ],
      links: [{ label: 'Architecture', href: '/docs/architecture' }],
    },
    {
      title: 'Principles',
      rows: [
        { name: 'Unknown isn’t zero', text: 'A metric we can’t trust is shown as not measured, with the reason.' },
        {
          name: 'Claims come with receipts',
          text: 'Each has its input, command, machine, date, and baseline. Missed targets say so.',
        },
        { name: 'Every change can be undone', text: 'Each step of a plan comes with the step that reverts it.' },
      ],
      links: [{ label: 'Receipts', href: '/receipts' }],
    },
    {
      title: 'Status',
      paragraphs: [
        'Version 0.1. It plans, explains, and applies what you approve. It is tested on public traces and on a simulator that speaks the real protocols, but not on a large fleet of physical GPUs.',
      ],
    },
  ],
}
