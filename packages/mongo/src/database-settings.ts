import { z } from 'zod';

/** Settings of the MongoDB connection. */
export const databaseSettings = z.object({
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
    .describe('MongoDB 6.0 or later, a replica set; TLS is set in it (`tls=true&tlsCAFile=…`)'),
  MONGODB_DATABASE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,40}$/, 'may hold letters, digits, _ and -')
    .default('bomtrail_')
    .describe('Before the name of each database: <prefix><service>'),
  MONGODB_USERNAME: z.string().optional().describe('User of MongoDB, if not given in MONGODB_URI'),
  MONGODB_PASSWORD: z.string().optional().describe('Its password'),
});
