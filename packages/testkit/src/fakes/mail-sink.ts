import { freePort } from '@bomtrail/embedded';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { fates, noFaults, type Fate, type FaultShares } from './faults';
import { readMail, type Mail } from './read-mail';

/** An accepted mail. */
export interface AcceptedMail extends Mail {
  /** Accepted recipients of the envelope. */
  recipients: readonly string[];
  at: Date;
}

export interface MailSinkOptions {
  /** Seed of the draws for `faults`; 1 by default. */
  seed?: number;
  /** `limited`, `limitedMutely` and `failing`: 451 after the message; the others as for webhooks. */
  faults?: Partial<FaultShares>;
  /** Required credentials; without them everyone may send. */
  account?: { username: string; password: string };
  /** TLS from the start, STARTTLS, or none (default). */
  tls?: { mode: 'starttls' | 'tls'; key: string; cert: string };
  /** Response code for a recipient, such as 550; undefined: accepted. */
  refuses?: (recipient: string) => number | undefined;
  /** Never sends a greeting. */
  silent?: boolean;
}

/** An SMTP server on 127.0.0.1 that stores mails and delivers nothing. */
export interface MailSink {
  port: number;
  readonly accepted: readonly AcceptedMail[];
  readonly counts: Readonly<Record<Fate, number>>;
  /** Applies to later mails. */
  setFaults(faults: Partial<FaultShares>): void;
  /** Also cuts hanging connections. */
  stop(): Promise<void>;
}

export async function startMailSink(options: MailSinkOptions = {}): Promise<MailSink> {
  const accepted: AcceptedMail[] = [];
  const counts = { served: 0, ...noFaults };
  const fateOf = fates(options.seed ?? 1);
  let shares: FaultShares = { ...noFaults, ...options.faults };

  const server = new SMTPServer({
    ...serverOptions(options),
    onRcptTo: (address, _session, done) => {
      const code = options.refuses?.(address.address);
      done(code === undefined ? null : smtpError(code, 'not this one'));
    },
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const fate = fateOf(shares);
        counts[fate] += 1;
        if (fate === 'hanging') return;
        if (fate === 'limited' || fate === 'limitedMutely' || fate === 'failing') {
          done(smtpError(451, 'try again later'));
          return;
        }
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        accepted.push({ ...readMail(Buffer.concat(parts)), recipients, at: new Date() });
        if (fate === 'cutAfter') cut(server, session.id);
        else done();
      });
    },
  });
  server.on('error', () => undefined);
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    accepted,
    counts,
    setFaults: (faults) => {
      shares = { ...noFaults, ...faults };
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

function serverOptions({ account, tls, silent }: MailSinkOptions): SMTPServerOptions {
  return {
    authOptional: account === undefined,
    allowInsecureAuth: true,
    disabledCommands: [
      ...(tls?.mode === 'starttls' ? [] : ['STARTTLS']),
      ...(account === undefined ? ['AUTH'] : []),
    ],
    secure: tls?.mode === 'tls',
    ...(tls === undefined ? {} : { key: tls.key, cert: tls.cert }),
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onConnect: (_session, done) => {
      if (silent !== true) done();
    },
    onAuth: (given, _session, done) => {
      const fits = given.username === account?.username && given.password === account?.password;
      if (fits) done(null, { user: given.username });
      else done(smtpError(535, 'no'));
    },
  };
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

function cut(server: SMTPServer, session: string): void {
  for (const connection of server.connections) {
    if (connection.id === session) connection.close();
  }
}
