import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

// Whole: the command line of `yaml` reads in pieces of 64 KiB, and misreads a line that one of them cuts.
const text = readFileSync('openapi.yaml', 'utf8');
writeFileSync('generated/openapi.json', `${JSON.stringify(parse(text), null, 1)}\n`);
