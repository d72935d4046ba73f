// What stands beside guides, reference and decisions.
const named = (en, ro, zh, rest) => ({ label: en, translations: { ro, 'zh-CN': zh }, ...rest });

export const sidebar = [
  named('Guides', 'Ghiduri', '指南', {
    items: [
      'guides/quick-start',
      'guides/console',
      'guides/embed',
      'guides/lessons',
      'guides/configuration',
    ],
  }),
  named('Reference', 'Referință', '参考', {
    items: [
      named('Commands', 'Comenzi', '命令', { link: '/reference/commands/' }),
      named('Options', 'Opțiuni', '选项', { link: '/reference/options/' }),
      named('Metrics', 'Metrici', '指标', { link: '/reference/metrics/' }),
      named('Trace events', 'Evenimente', '跟踪事件', { link: '/reference/events/' }),
    ],
  }),
  named('Decisions', 'Decizii', '决策记录', { autogenerate: { directory: 'decisions' } }),
];
