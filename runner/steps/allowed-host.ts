import type { RunEnvironment } from '../run/environment.ts'

/** Whether steps may reach the host of a URL: that of `baseUrl`, or one of those listed, which may leave the port open. */
export function isAllowedHost(
  url: URL,
  { baseUrl, allowedHosts }: Pick<RunEnvironment, 'baseUrl' | 'allowedHosts'>,
): boolean {
  const home = baseUrl === null ? null : new URL(baseUrl)
  if (home && home.hostname === url.hostname && portOf(home) === portOf(url)) return true
  return allowedHosts.some((entry) => {
    const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (port !== undefined && port !== portOf(url)) return false
    return name.startsWith('*.') ? url.hostname.endsWith(name.slice(1)) : url.hostname === name
  })
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80')
