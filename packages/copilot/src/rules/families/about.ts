import { listed, plural } from '@septet/domain/words'

import { table, type Family } from '../family.ts'
import { now, path, quoted } from '../phrases.ts'
import { instantWords } from '../times.ts'

/** How all is, where something is, and what words mean. */
export const ABOUT: readonly Family[] = [
  {
    id: 'health',
    about: 'how the cluster is',
    asks: ['Is the cluster healthy?', 'What is wrong?', 'Are there any problems?', 'Status', 'Is everything ok?'],
    takes: [],
    answer: async (_slots, reading) => {
      const { is, cite } = await reading.from('summaryGet', { range: '24h' }, '')
      const { headline, problems } = is.status
      return {
        said: [
          [`${now(is.asOf)}: ${headline}`, cite],
          ...problems.slice(0, 3).map(({ message }) => [message, cite] as const),
        ],
        pages: [['See the summary', '']],
        further: ['Which alerts are firing?', 'Which GPUs are broken?'],
      }
    },
  },
  {
    id: 'alerts',
    about: 'alerts that fire',
    asks: ['Which alerts are firing?', 'What needs attention?', 'Any alarms?', 'Since when do alerts fire?'],
    leads: { when: 'alerts', since: 'alerts' },
    takes: ['count'],
    answer: async ({ count = '10' }, reading) => {
      const { is, cite } = await reading.from('alertsList', {}, '/alerts')
      return {
        said: [
          [
            `${now(is.asOf)}, ${is.total === 0 ? 'no alert is firing' : `${plural(is.total, 'alert')} ${is.total === 1 ? 'is' : 'are'} firing`}.`,
            cite,
          ],
          ...(is.note === null ? [] : [[is.note, cite] as const]),
        ],
        blocks: [
          table(
            'Alerts',
            ['Alert', 'Severity', 'On', 'Since', 'What'],
            is.firing.slice(0, Number(count)).map(({ title, severity, object, since, message }) => ({
              cells: [title, severity, object, instantWords(since), message],
              page: reading.page('/alerts'),
            })),
            is.total,
          ),
        ],
        pages: [['See the alerts', '/alerts']],
        further: ['Is the cluster healthy?', 'Which GPUs are broken?'],
      }
    },
  },
  {
    id: 'clusters',
    about: 'which clusters there are',
    asks: ['Which clusters are there?', 'How many clusters do we have?', 'Are all clusters healthy?', 'List clusters'],
    takes: [],
    answer: async (_slots, reading) => {
      const { is, cite } = await reading.from('clustersList', {}, '/settings/clusters')
      return {
        said: [
          [
            `${plural(is.clusters.length, 'cluster')}: ${listed(is.clusters.map(({ name, state }) => `${quoted(name)} (${state})`))}.`,
            cite,
          ],
        ],
        blocks: [
          table(
            'Clusters',
            ['Cluster', 'State', '#Nodes', '#GPUs'],
            is.clusters.map(({ name, state, nodes, gpus }) => ({
              cells: [
                name,
                state,
                nodes === null ? 'Unknown' : String(nodes),
                gpus === null ? 'Unknown' : String(gpus),
              ],
            })),
          ),
        ],
        pages: [['See the clusters', '/settings/clusters']],
        further: ['Is the cluster healthy?', 'How many GPUs do we have?'],
      }
    },
  },
  ...(['workload', 'node', 'namespace', 'gpu'] as const).map((slot): Family => ({
    id: `where-is-${slot}`,
    about: `where a ${slot} is found`,
    asks: [`Where is {${slot}}?`, `Find {${slot}}`, `{${slot}} located`],
    takes: [],
    answer: async (slots, reading) => {
      const name = slots[slot] ?? ''
      const { is, cite } = await reading.from('searchFind', { query: name, limit: 10 }, '')
      const pages = { workload: '/workloads', node: '/partitions', namespace: '/workloads', gpu: '/fleet' }
      const keys = { workload: 'workload', node: 'node', namespace: 'q', gpu: 'gpu' }
      const at = path(pages[slot], { [keys[slot]]: name })
      const found = is.found.find(({ id, kind }) => id === name && kind === slot)
      return {
        said: [
          [
            `${now(is.asOf)}, ${slot} ${quoted(name)} ${found === undefined ? 'was not found' : `is: ${found.detail}`}.`,
            cite,
          ],
        ],
        pages: [[`See the ${slot}`, at]],
        further:
          slot === 'workload'
            ? [`What does ${name} hold?`, `How busy is ${name}?`]
            : ['Who idles most?', 'Where is a MIG partition free?'],
      }
    },
  })),
  {
    id: 'idle-means',
    about: 'what counts as idle',
    asks: ['What counts as idle?', 'What does idle mean?', 'When is a GPU considered idle?'],
    takes: [],
    answer: async (_slots, reading) => {
      const { is, cite } = await reading.from('summaryGet', { range: '24h' }, '/cost')
      return {
        said: [
          [
            'Idle means held while compute stayed under the idle threshold for the whole window; capacity without telemetry is never called idle.',
            cite,
          ],
          [`Its cost is ${is.cost.idleHeld.explain.formula.replace(/\.$/u, '')}.`, cite],
        ],
        pages: [['See the policies', '/settings/policies']],
        further: ['Who idles most?', 'What does idle time cost?'],
      }
    },
  },
  {
    id: 'stranded-means',
    about: 'what stranded means',
    asks: ['What does stranded mean?', 'What is the definition of stranded?'],
    takes: [],
    answer: async (_slots, reading) => {
      const { is, cite } = await reading.from('summaryGet', { range: '24h' }, '/partitions')
      return {
        said: [
          ['Stranded slices are free, but of a shape that no MIG profile can use while the layout stays.', cite],
          [`Their cost is ${is.cost.stranded.explain.formula.replace(/\.$/u, '')}.`, cite],
        ],
        pages: [['See the partitions', '/partitions']],
        further: ['Which layouts strand slices?', 'What does stranded capacity cost?'],
      }
    },
  },
]
