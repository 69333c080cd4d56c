import type { Prose } from './prose.ts'

export const ABOUT: Prose = {
  title: 'Seven players, heard as one',
  lead: 'A GPU splits into at most seven compute slices. A septet is seven players who listen to each other. Septet is software that makes the slices of your GPUs play together.',
  parts: [
    {
      title: 'Why',
      paragraphs: [
        'A pod asks for a whole GPU, because asking for a part is hard and deciding which part is harder. What it does not use stays held. Tools that measure do not plan, and tools that cut are told what to cut.',
        'Septet measures what is used, works out how GPUs should be cut and shared, and says how far from the best that is.',
      ],
    },
    {
      title: 'How it works',
      paragraphs: [
        'Data goes one way: collect, store, analyze, plan, show. The arithmetic is pure functions without time, chance or network, so the same input gives the same answer in a test, on the server and in your browser.',
      ],
      links: [{ label: 'Architecture', href: '/docs/architecture' }],
    },
    {
      title: 'Rules it keeps',
      rows: [
        {
          name: 'Unknown is not zero',
          text: 'A value without a measurement that can be trusted says so, with the reason.',
        },
        {
          name: 'Every claim has a receipt',
          text: 'Input, command, machine, date and baseline; also where a claim is not reached.',
        },
        { name: 'Nothing without a way back', text: 'Each step of a plan carries the step that takes it back.' },
      ],
      links: [{ label: 'Receipts', href: '/receipts' }],
    },
    {
      title: 'Where it stands',
      paragraphs: [
        'Version 0.1. Tried on a simulator that speaks the real protocols and on public traces, not yet on a large fleet of real GPUs. It plans, explains, and carries out what you approve.',
      ],
    },
  ],
}
