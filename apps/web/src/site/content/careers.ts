import type { Prose } from './prose.ts'

export const CAREERS: Prose = {
  title: 'Careers',
  lead: 'There is no company behind Septet, and there are no positions. There is work, for those who like it.',
  parts: [
    {
      title: 'What helps most',
      rows: [
        {
          name: 'A real cluster',
          text: 'Run it on GPUs, and say what it got wrong: a figure, a placement, a name. A false zero is the most wanted report.',
        },
        {
          name: 'A trace',
          text: 'Recorded demand of a fleet, anonymized, with leave to publish it. It makes every benchmark mean more.',
        },
        { name: 'A correction', text: 'A fact about another product that is out of date, with its source.' },
        { name: 'A change', text: 'One idea, with a test that fails without it.' },
      ],
    },
    {
      title: 'How to begin',
      paragraphs: [
        'npm start runs everything on a demo cluster, without a GPU; npm test checks everything. CONTRIBUTING.md in the source says what a reviewer looks for, and the tour of the code takes an hour.',
      ],
      links: [
        { label: 'A tour of the code', href: '/docs/architecture' },
        { label: 'Contact', href: '/contact' },
      ],
    },
  ],
}
