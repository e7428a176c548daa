/** Rules of this repository for oxlint (`.oxlintrc.json`). */
export default {
  meta: { name: 'house-style' },
  rules: {
    'no-spread-of-literal': rule(
      'ObjectExpression > SpreadElement > ObjectExpression',
      'Write the properties where they stand, without a spread.',
    ),
    'no-as-never': rule(
      'TSAsExpression > TSNeverKeyword',
      '`as never` hides any error: build a value of the type.',
    ),
  },
};

function rule(selector, message) {
  return { create: (context) => ({ [selector]: (node) => context.report({ node, message }) }) };
}
