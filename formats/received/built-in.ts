/** First segments of the addresses of built-in receivers: no stored one has such a name. */
export const BUILT_IN_RECEIVERS: readonly string[] = [
  'alertmanager',
  'prometheus',
  'cloudevents',
  'otlp',
  'sentry',
  'github',
]
