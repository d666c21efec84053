const UNKNOWN_AUTHORITY =
  'This machine does not know the authority of that certificate: if it is the one of the database, name its file with sslrootcert in DATABASE_URL.'

/** Remedies for faults that the system reports in its own words, by their code, or by the message of those without. */
const HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another process listens there: stop it, or set PORT or METRICS_PORT.',
  EADDRNOTAVAIL: 'This machine does not have that address: is HOST right?',
  ECONNREFUSED: 'Nothing answers there: is the database up, and DATABASE_URL right?',
  ENOTFOUND: 'No such host: are HOST and the host in DATABASE_URL right?',
  EAI_AGAIN:
    'No name server answers: are the host in DATABASE_URL and the DNS of this machine right?',
  ENOSPC: 'The disk is full: free space there, or set DATA_DIR to a folder on another disk.',
  '3D000': 'Create that database, or correct its name in DATABASE_URL.',
  '28000': 'The database refuses this user: is DATABASE_URL right?',
  42501:
    'That user may not create what Assay needs: make it the owner of the database (ALTER DATABASE … OWNER TO …).',
  '28P01': 'The database refuses this user or password: is DATABASE_URL right?',
  53100: 'The disk of the database is full: free space there, and start again.',
  'The server does not support SSL connections':
    'The database server has no TLS: turn it on there, or set sslmode=disable in DATABASE_URL if you trust the network.',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'That certificate is of another host: is the host in DATABASE_URL right?',
  EROFS: 'Nothing can be written there: set DATA_DIR to a folder on a disk that takes writes.',
  EACCES:
    'This user may not do that: set DATA_DIR to a folder of its own, or PORT to 1024 or more.',
}

/** @param report what is said of the error */
export function withHint(report: string, error: unknown): string {
  const { message = '', code = message } = error as Partial<NodeJS.ErrnoException>
  return [report, HINTS[code]].filter(Boolean).join('\n')
}
