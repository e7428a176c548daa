/**
 * Texts that run, break out of an attribute, load something or break the layout where they are taken
 * for markup. `window.broken` is set by each that would run.
 */
export const hostileTexts: readonly string[] = [
  '<script>window.broken=true</script>',
  '"><img src=x onerror="window.broken=true">',
  "'><svg onload=window.broken=true>",
  '<iframe srcdoc="<script>parent.broken=true</script>"></iframe>',
  '[link](javascript:window.broken=true)',
  '![x](https://attacker.example/pixel.png)',
  '<a href="javascript:window.broken=true">click</a>',
  '<style>*{display:none}</style>',
  '{{constructor.constructor("window.broken=true")()}}',
  '${window.broken=true}',
  '</title></textarea><script>window.broken=true</script>',
  '\u202Egnp.exe\u202C and \u2066isolated\u2069',
  'W'.repeat(2_000),
  'zero\u200Bwidth \uFEFF and combining Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034F\u0334\u0319\u0324',
];
