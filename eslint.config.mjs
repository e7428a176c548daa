import tseslint from 'typescript-eslint';

/** What a reviewer would otherwise say twice: size limits of `CONTRIBUTING.md` and lost promises. */
export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '**/generated/**',
      '**/*.js',
      '**/*.mjs',
      '**/*.cjs',
      '.bomtrail/**',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.check.json', './packages/web/tsconfig.page.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, properties: false } },
      ],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'max-lines': ['error', { max: 400 }],
      'max-statements': ['error', 50],
      'max-params': ['error', 3],
      'no-console': 'error',
      eqeqeq: 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ObjectExpression > SpreadElement > ObjectExpression',
          message: 'Write the properties where they stand, without a spread.',
        },
        {
          selector: 'TSAsExpression > TSNeverKeyword',
          message: '`as never` hides any error: build a value of the type.',
        },
      ],
    },
  },
  { files: ['**/*.test.ts', 'e2e/**', 'bench/**', 'chaos/**'], rules: { 'max-statements': 'off' } },
  {
    files: [
      'bench/**',
      'chaos/**',
      'delivery/src/main.ts',
      'packages/embedded/**',
      'packages/cli/**',
      '**/check-*.ts',
      'e2e/src/make-*.ts',
    ],
    rules: { 'no-console': 'off' },
  },
);
