type Lead = {
  /** One sentence below the title: what the page is for. */
  readonly lead: string
  /** Where the documentation says more. */
  readonly docs: string
}

/** What stands below the title of each page of Settings, by the last part of its address. */
export const SECTION_LEADS: Readonly<Record<string, Lead>> = {
  account: {
    lead: 'How you sign in, and where you are signed in.',
    docs: 'signing-in#sessions-passwords-and-a-second-factor',
  },
  tokens: {
    lead: 'Keys for the CLI, scrapers and agents. A token never has more rights than its creator.',
    docs: 'signing-in#api-tokens',
  },
  clusters: { lead: 'The clusters that Septet reads, and how it signs in to each.', docs: 'connecting-a-cluster' },
  prices: {
    lead: 'What a GPU-hour costs, and where each price comes from.',
    docs: 'prices-and-bills#which-price-applies',
  },
  tenants: {
    lead: 'Which team is charged for which workloads.',
    docs: 'using-the-dashboard#tenants',
  },
  policies: {
    lead: 'What counts as idle or oversized, the utilization target, and what plans must leave alone.',
    docs: 'using-the-dashboard#policies',
  },
  acting: {
    lead: 'Which changes Septet may make to a cluster, and within which limits.',
    docs: 'using-the-dashboard#what-septet-may-do',
  },
  agents: { lead: 'What AI agents may do over MCP, how to connect one, and what they called.', docs: 'agents' },
  retention: { lead: 'How long stored usage is kept.', docs: 'using-the-dashboard#data-retention' },
  notifications: {
    lead: 'Which alerts fire, where they are sent, and what was delivered.',
    docs: 'reports-and-alerts#alerts',
  },
  reports: { lead: 'Reports that Septet emails on a schedule.', docs: 'reports-and-alerts#reports' },
  members: { lead: 'Who can sign in, and what each of them may do.', docs: 'signing-in#roles-and-namespaces' },
  audit: { lead: 'Everything that was done, refused or changed, and by whom.', docs: 'signing-in#the-audit-log' },
  outbox: { lead: 'The emails that Septet wrote.', docs: 'signing-in#mail-and-the-outbox' },
  about: { lead: 'Version, storage and third-party licenses.', docs: 'upgrading' },
}
