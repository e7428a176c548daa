import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePorts } from '@bomtrail/embedded';
import { createProgramGroup } from '../tools/program-group';
import { run, type Ran } from '../tools/run';
import { makeCertificates, type Certificates } from './certificates';
import type { Programs } from './programs';

/** A Kubernetes API with its controllers and scheduler; kwok simulates nodes and kubelets. */
export interface Cluster {
  kubectl(args: readonly string[], input?: string): Promise<Ran>;
  helm(args: readonly string[]): Promise<Ran>;
  /** File with the address and an administrator's token. */
  kubeconfig: string;
  /** For servers that extend the API, and for the API as their client. */
  certificates: Certificates;
  stop(): Promise<void>;
}

const readyMs = 90_000;

/**
 * Starts a cluster on this machine.
 *
 * @param folder for data, keys and logs; must be empty
 * @throws Error if the API is not ready in time
 */
export async function startCluster(programs: Programs, folder: string): Promise<Cluster> {
  const [etcd, peer, api, controllers, scheduler, kwok] = await freePorts(6);
  const file = (name: string): string => path.join(folder, name);
  const token = randomUUID();
  const kubeconfig = file('kubeconfig.json');
  writeKeys({ file, token });
  const certificates = await makeCertificates(file('extensions'));
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(`https://127.0.0.1:${api}`, token)));

  const group = createProgramGroup(folder);
  const start = (name: keyof Programs, args: readonly string[]): void =>
    group.start(name, programs[name], { args });
  const env = { ...process.env, KUBECONFIG: kubeconfig, HELM_CACHE_HOME: file('helm') };
  const kubectl: Cluster['kubectl'] = (args, input) => {
    if (input === undefined) return run(programs.kubectl, args, { env });
    writeFileSync(file('input.yaml'), input);
    return run(programs.kubectl, [...args, '-f', file('input.yaml')], { env });
  };

  const etcdUrl = `http://127.0.0.1:${etcd}`;
  const peerUrl = `http://127.0.0.1:${peer}`;
  start('etcd', [
    ...['--data-dir', file('etcd'), '--unsafe-no-fsync'],
    ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
    ...['--initial-cluster', `default=${peerUrl}`],
  ]);
  start('kube-apiserver', [
    `--etcd-servers=${etcdUrl}`,
    ...['--bind-address=127.0.0.1', `--secure-port=${api}`, `--cert-dir=${file('certificates')}`],
    ...[`--token-auth-file=${file('tokens.csv')}`, '--authorization-mode=RBAC'],
    ...['--service-account-issuer=https://kubernetes.default.svc'],
    ...[`--service-account-signing-key-file=${file('service-accounts.pem')}`],
    ...[`--service-account-key-file=${file('service-accounts.pub')}`],
    '--service-cluster-ip-range=10.96.0.0/16',
    `--requestheader-client-ca-file=${certificates.authority}`,
    `--proxy-client-cert-file=${certificates.certificate}`,
    `--proxy-client-key-file=${certificates.key}`,
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
  ]);
  const apiError = async (): Promise<string | null> => {
    const { code, stderr } = await kubectl(['get', '--raw', '/readyz']);
    return code === 0 ? null : stderr.trim();
  };
  await group.untilReady(apiError, { what: 'The Kubernetes API is not ready', withinMs: readyMs });
  const client = [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--bind-address=127.0.0.1'];
  start('kube-controller-manager', [
    ...[...client, `--secure-port=${controllers}`],
    `--service-account-private-key-file=${file('service-accounts.pem')}`,
    // On a busy machine a simulated node may be late; that says nothing about the chart.
    '--node-monitor-grace-period=1h',
    // Instead of fifteen seconds and five minutes: the wait says nothing about the chart either.
    ...['--horizontal-pod-autoscaler-sync-period=5s'],
    ...['--horizontal-pod-autoscaler-downscale-stabilization=5s'],
  ]);
  start('kube-scheduler', [...client, `--secure-port=${scheduler}`]);
  start('kwok', [
    ...[`--kubeconfig=${kubeconfig}`, '--manage-all-nodes=true'],
    `--server-address=127.0.0.1:${kwok}`,
  ]);
  const helm: Cluster['helm'] = (args) => run(programs.helm, args, { env });
  return { kubectl, helm, kubeconfig, certificates, stop: group.stop };
}

function writeKeys({ file, token }: { file: (name: string) => string; token: string }): void {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  writeFileSync(file('service-accounts.pem'), privateKey, { mode: 0o600 });
  writeFileSync(file('service-accounts.pub'), publicKey);
  writeFileSync(file('tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
}

/** The certificate is one that the API server has just made for itself. */
function kubeconfigOf(server: string, token: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'local', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'local', context: { cluster: 'local', user: 'admin' } }],
    'current-context': 'local',
  };
}
