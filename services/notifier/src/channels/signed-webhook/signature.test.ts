import { signatureHeaders } from './signature';

/** The reference vector of Standard Webhooks. */
const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  body: '{"test": 2432232314}',
  now: new Date(1_614_265_330_999),
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

test('a signature is that of Standard Webhooks', () => {
  expect(signatureHeaders([vector.secret], vector)).toEqual({
    'webhook-id': vector.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': vector.signature,
  });
});

test('two secrets sign both, so that receivers can change one after the other', () => {
  const secrets = [`whsec_${'A'.repeat(32)}`, vector.secret];
  const signatures = signatureHeaders(secrets, vector)['webhook-signature']?.split(' ');
  expect(signatures).toEqual([expect.stringMatching(/^v1,/), vector.signature]);
});
