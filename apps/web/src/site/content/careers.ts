import type { Prose } from './prose.ts'

export const CAREERS: Prose = {
  title: 'Careers',
  lead: 'Septet is an open source project without a company, so there are no jobs to apply for. Contributions are welcome.',
  parts: [
    {
      title: 'What helps most',
      rows: [
        {
          name: 'A real cluster',
          text: 'Run Septet on your GPUs and report what it gets wrong. A false zero is the most useful bug you can find.',
        },
        {
          name: 'A trace',
          text: 'Anonymized demand from a real fleet, licensed for publication. It makes every benchmark more meaningful.',
        },
        { name: 'A correction', text: 'An outdated fact about another product, with a source.' },
        { name: 'A pull request', text: 'One idea, with a test that fails without it.' },
      ],
    },
    {
      title: 'Get started',
      paragraphs: [
        'npm start runs everything on a demo cluster, no GPU required. npm test runs every check. CONTRIBUTING.md explains what reviewers look for, and the code tour takes about an hour.',
      ],
      links: [
        { label: 'Architecture', href: '/docs/architecture' },
        { label: 'Contact', href: '/contact' },
      ],
    },
  ],
}
