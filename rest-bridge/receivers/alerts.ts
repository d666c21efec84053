import { AppError } from '../../formats/errors.ts'
import { parseBounded } from '../../formats/json/json.ts'
import { isSet, parseTime } from '../../formats/parse-time.ts'
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  present,
  requireFields,
  textOf,
} from '../../formats/received/fields.ts'
import type { Received, SentEvent } from '../../formats/received/received.ts'
import { type Severity, severityOf, words } from '../../formats/received/words.ts'
import type { Receiver } from './receiver.ts'

const SEVERITIES = words<Severity>({
  CRITICAL: 'critical page',
  ERROR: 'error high',
  WARN: 'warning warn medium',
  INFO: 'info none low',
})

/** In collectd the severity is the state. */
const COLLECTD = words<Severity>({ INFO: 'okay', WARN: 'warning', ERROR: 'failure' })

const EXAMPLE_ALERT = {
  labels: { alertname: 'DiskFull', instance: 'db1', severity: 'critical' },
  annotations: { summary: 'Disk of db1 is 97 % full' },
  startsAt: '2026-11-28T02:56:16.789Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'http://prometheus/graph?g0.expr=x',
}

export const alertmanager: Receiver = {
  name: 'alertmanager',
  path: 'alertmanager',
  summary: 'Receive alerts of Alertmanager (webhook)',
  decode({ body, now }) {
    const webhook = requireFields(parseBounded(body), 'The request body')
    const { alerts, externalURL, receiver, truncatedAlerts } = webhook
    if (!Array.isArray(alerts)) throw new AppError('BAD_USER_INPUT', 'alerts: expected a list')
    const ref = textOf(externalURL)
    const received = alerts.map((alert) =>
      // The status of the group is another one.
      alertOf(alert, ({ status }) => (status === 'resolved' ? 'CLOSED' : 'OPEN'), now, {
        ref,
        ...(textOf(receiver) && { sender: { type: 'alertmanager', ref, name: textOf(receiver) } }),
      }),
    )
    return Number(truncatedAlerts) > 0 ? [...received, truncated(webhook)] : received
  },
  example: {
    version: '4',
    status: 'firing',
    receiver: 'assay',
    externalURL: 'http://alertmanager:9093',
    truncatedAlerts: 0,
    alerts: [{ ...EXAMPLE_ALERT, status: 'firing' }],
  },
}

export const prometheus: Receiver = {
  name: 'prometheus',
  path: 'prometheus/api/v2/alerts',
  summary: 'Receive alerts of Prometheus and notifications of collectd',
  decode({ body, now }) {
    const alerts = parseBounded(body)
    if (!Array.isArray(alerts))
      throw new AppError('BAD_USER_INPUT', 'The request body: expected a list of alerts')
    return alerts.map((alert) => alertOf(alert, ({ endsAt }) => statusAt(endsAt, now), now))
  },
  example: [EXAMPLE_ALERT],
}

/** Prometheus gives firing alerts an end that lies ahead; others give them none. */
function statusAt(endsAt: unknown, now: Date): 'OPEN' | 'CLOSED' {
  const end = parseTime(endsAt)
  return end && isSet(end) && end <= now ? 'CLOSED' : 'OPEN'
}

function alertOf(
  alert: unknown,
  statusOf: (alert: Fields) => 'OPEN' | 'CLOSED',
  now: Date,
  from: { ref?: string | undefined; sender?: NonNullable<SentEvent['sender']> } = {},
): Received {
  if (!isFields(alert)) return { refused: 'The alert is not a JSON object' }
  const { startsAt, endsAt, generatorURL } = alert
  const labels = fieldsOf(alert.labels)
  const annotations = fieldsOf(alert.annotations)
  const title = textOf(annotations.summary) ?? textOf(labels.alertname)
  if (!title)
    return { refused: 'An alert has neither the annotation summary nor the label alertname' }
  const isCollectd = labels.service === 'collectd' && endsAt === undefined
  const word = textOf(labels.severity)
  const isOver = isCollectd ? word === 'OKAY' : statusOf(alert) === 'CLOSED'
  const status = isCollectd && isOver ? 'OK' : isOver ? 'CLOSED' : 'OPEN'
  const time = isOver && !isCollectd ? endsAt : startsAt
  // The end of a firing alert is no time of anything.
  const createdAt = parseTime(time)
  if (time !== undefined && !createdAt)
    return { refused: `The time of the alert ${title} cannot be read` }
  const at = createdAt && isSet(createdAt) ? createdAt : now
  const names = Object.keys(labels).filter((name) => !isCollectd || name !== 'severity')
  return {
    event: {
      title,
      message: textOf(annotations.description) ?? textOf(annotations.message),
      severity: severityOf(word, isCollectd ? COLLECTD : SEVERITIES),
      status,
      source: { ref: textOf(labels.instance) ?? from.ref, type: 'host' },
      ...(from.sender && { sender: from.sender }),
      // Labels last: they are the identity.
      properties: { ...present({ annotations, generatorURL }), ...labels },
      createdAt: at.toISOString(),
      fingerprintFields: names,
    },
    key: `${status} ${createdAt && isSet(createdAt) ? at.toISOString() : ''}`,
  }
}

/** The end of an alert that was left out is never sent. */
function truncated({ truncatedAlerts, receiver, groupKey, externalURL, alerts }: Fields): Received {
  const left = Number(truncatedAlerts)
  const newest = listOf(alerts)
    .map((alert) => String(fieldsOf(alert).startsAt ?? ''))
    .sort()
    .at(-1)
  return {
    event: {
      title: `Alertmanager left out ${left} alerts of a group`,
      message:
        'Neither these alerts nor their ends are sent: set max_alerts of the webhook to 0, or group by more labels.',
      severity: 'WARN',
      status: 'OPEN',
      source: { ref: textOf(externalURL), type: 'alertmanager' },
      properties: present({ groupKey, receiver, truncatedAlerts }),
      fingerprintFields: ['groupKey', 'receiver'],
      eventClass: 'truncated',
    },
    key: `${left} ${newest}`,
  }
}
