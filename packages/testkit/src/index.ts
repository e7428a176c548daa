export { startMongodSet, type MongodSet } from './cluster/mongod-set';
export { startNatsCluster, type NatsCluster, type StreamInfo } from './cluster/nats-cluster';
export { endNodes, type Cluster, type ClusterNode } from './cluster/nodes';
export { eventually } from './eventually';
export { discordFault, startDiscordFake } from './fakes/discord-fake';
export { pagerDutyFault, startPagerDutyFake } from './fakes/pagerduty-fake';
export { signedWebhookFault, startSignedWebhookFake } from './fakes/signed-webhook-fake';
export { startTeamsFake, teamsFault } from './fakes/teams-fake';
export { badDay, noFaults, type FaultShares } from './fakes/faults';
export {
  startMailSink,
  type AcceptedMail,
  type MailSink,
  type MailSinkOptions,
} from './fakes/mail-sink';
export { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from './fakes/otlp-receiver';
export { startForwardProxy, type ForwardProxy } from './fakes/forward-proxy';
export type { Mail } from './fakes/read-mail';
export { slackFault, startSlackFake } from './fakes/slack-fake';
export type { AcceptedMessage, WebhookFake, WebhookFakeOptions } from './fakes/webhook-fake';
export { startGatewayProxy, type GatewayProxy } from './gateway-proxy';
export { layDeadLetter } from './lay-dead-letter';
export { readJsonLines } from './read-json-lines';
export { sequence, shuffled, type Draw } from './sequence';
export { serviceSettings } from './service-settings';
export { connectTestBus, type TestBus } from './test-bus';
export { makeCertificate, type TestCertificate } from './test-certificate';
export { startTestServers, type TestServers, type TestServersOptions } from './test-servers';
export { uniquePrefix } from './unique-prefix';
export { allowWrites, stopWrites } from './write-limit';
export {
  startFakeDependencyTrack,
  type FakeDependencyTrack,
  type FakeDtProject,
} from './fakes/dependency-track';
export { startFakeVexServer, type VexServerFault } from './fakes/vex-server';
