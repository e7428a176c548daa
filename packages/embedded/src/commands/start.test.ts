import { join } from 'node:path';
import { welcome } from './start';

const stack = {
  baseUrl: 'http://127.0.0.1:8080',
  grpcPort: 50_051,
  apiKey: 'bt_secret',
  apiKeyFile: join(process.cwd(), '.bomtrail', 'api-key'),
};

describe('what a person is told once it runs', () => {
  test('where both APIs are', () => {
    const text = welcome({ ...stack, apiKeyOrigin: 'stored' }).join('\n');
    expect(text).toContain('http://127.0.0.1:8080');
    expect(text).toContain('127.0.0.1:50051');
  });

  test('on the first start the key itself', () => {
    expect(welcome({ ...stack, apiKeyOrigin: 'made-now' }).join('\n')).toContain('bt_secret');
  });

  test('later only where the key is', () => {
    const text = welcome({ ...stack, apiKeyOrigin: 'stored' }).join('\n');
    expect(text).not.toContain('bt_secret');
    expect(text).toContain('API key: in .bomtrail/api-key');
  });

  test('never a key that came from a setting', () => {
    expect(welcome({ ...stack, apiKeyOrigin: 'setting' }).join('\n')).not.toContain('bt_secret');
  });
});
