/** Where a release is found; the release writes it into chart and installer, the sources name none (ADR 0145). */
export interface Origin {
  /** Registry and path of images and charts, such as `registry.example.org/bomtrail`. */
  readonly registry: string;
  /** Address of the folder with archives, installer and checksums. */
  readonly downloads: string;
}

const registryForm = /^[a-z0-9.-]+(?::\d+)?(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)+$/;

/** What is wrong with an origin. */
export function originErrors({ registry, downloads }: Origin): string[] {
  return [
    ...(registryForm.test(registry)
      ? []
      : [
          `--registry takes host and path in lower case, such as registry.example.org/bomtrail, not ${registry}`,
        ]),
    ...(/^https?:\/\/[^\s'"$`\\]+[^/\s'"$`\\]$/.test(downloads)
      ? []
      : [`--downloads takes a web address without a slash at its end, not ${downloads}`]),
  ];
}

/** The chart's address for `helm install`. */
export function chartAddress({ registry }: Origin): string {
  return `oci://${registry}/charts/bomtrail`;
}

/** Name of an image of the release, without tag. */
export function imageName({ registry }: Origin, target: string): string {
  return `${registry}/bomtrail-${target}`;
}
